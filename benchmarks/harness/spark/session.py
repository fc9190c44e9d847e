# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""A Spark session that benchmarks talk to: one JSON object a line in, one line 'answer {...}' out.

    python session.py [--conf KEY=VALUE ...] < requests

Each request has an ``op``: shares, parameters, write, rewrite, append, merge, compact, rebuild, survey, adopt, put, archive, more, asked, drop, stored, used, open, query, plan, queue, catalog, create, contents, stop.
``queries`` is the module with what can be asked. Tables are {"path": ..., "group": ..., "schema": ...} or {"name": ...}.
"""

import argparse
import gc
import hashlib
import importlib
import json
import os
import sys
import time
import traceback

from pyspark.sql import SparkSession

from benchmarks.harness.spark import queue_run, tables
from mpsr_launcher.quickstart import spark_metrics

SCANS = ("FileScan", "BatchScan")
ICEBERG_CATALOG = "org.apache.iceberg.spark.SparkCatalog"
COLUMNS = ("signal", "device", "system", "cast(timestamp_ns AS bigint)", "value", "fill", "mode")


class Session:
    """Answers the requests, one after the other."""

    def __init__(self, session):
        self._session = session
        self._opened = {}

    def hello(self):
        """What this session is."""
        return {"spark": self._session.version, "extensions": self._session.conf.get("spark.sql.extensions", "")}

    def shares(self, request):
        """The share of each query."""
        return {"shares": _queries(request).SHARES}

    def parameters(self, request):
        """What the queries of all rounds ask for."""
        source = self._session.read.parquet(request["source"])
        found = _queries(request).derive_parameters(source, request["days"], request["seed"], request["rounds"])
        return {"parameters": found, "records": source.count()}

    def write(self, request):
        """Writes the records in a layout; tells the seconds and the CPU seconds of this process."""
        layout, partitions = request["layout"], request["partitions"]
        return self._cost(lambda: tables.write(self._session, layout, request["source"], request["table"], partitions))

    def rewrite(self, request):
        """Rewrites what was written, as 'write' tells."""
        return self._cost(lambda: tables.rewrite(self._session, request["table"]))

    def append(self, request):
        """Creates an Iceberg table by day and writes the records in so many commits, in the order of time."""
        tables.append(self._session, request["source"], request["table"], request["commits"])
        return {}

    def merge(self, request):
        """Rewrites the small files of an Iceberg table into large sorted ones, as 'write' tells."""
        return self._cost(lambda: tables.merge(self._session, request["table"]))

    def compact(self, request):
        """Merges all segments of a dataset of MPSR, as 'write' tells."""
        jvm = self._session._jvm
        job, options = jvm.org.hadoopmpsr.spark.jobs.CompactDataset, jvm.org.hadoopmpsr.client.compact.CompactionOptions
        arguments = jvm.java.util.ArrayList()
        arguments.add("--all")
        read = options.parse(arguments, jvm.java.util.ArrayList())
        return self._cost(lambda: job.compact(self._session._jsparkSession, request["table"], read))

    def rebuild(self, request):
        """Writes all damaged files of a dataset of MPSR anew, as 'write' tells."""
        jvm = self._session._jvm
        job, options = jvm.org.hadoopmpsr.spark.jobs.RebuildDataset, jvm.org.hadoopmpsr.client.rebuild.RebuildOptions
        read = options.parse(jvm.java.util.ArrayList(), jvm.java.util.ArrayList())
        return self._cost(lambda: job.rebuild(self._session._jsparkSession, request["table"], read))

    def survey(self, request):
        """The dry run of an adoption, and how long it took."""
        options = self._survey_options("--dry-run", request)
        start = time.monotonic()
        found = self._session._jvm.org.hadoopmpsr.spark.jobs.AdoptDirectory.survey(self._session._jsparkSession, request["path"], options)
        return {"seconds": time.monotonic() - start, **json.loads(found.json())}

    def adopt(self, request):
        """Makes a dataset of a directory; tells what was done, as 'write' tells."""
        options = self._survey_options("--execute", request)
        job, done = self._session._jvm.org.hadoopmpsr.spark.jobs.AdoptDirectory, []
        cost = self._cost(lambda: done.append(job.adopt(self._session._jsparkSession, request["path"], options)))
        run = done[0]
        counted = {key: getattr(run.done(), key)() for key in ("changes", "files", "bytes", "filesWritten")}
        return {**cost, **counted, "ms": run.updatedMs() - run.startedMs(), "problem": run.problem()}

    def _survey_options(self, mode, request):
        jvm = self._session._jvm
        arguments = jvm.java.util.ArrayList()
        for argument in (mode, "--schema", request["schema"], "--now", "--sample", str(request.get("sample", 256 << 20))):
            arguments.add(argument)
        return jvm.org.hadoopmpsr.client.adopt.SurveyOptions.parse(arguments, jvm.java.util.ArrayList())

    def put(self, request):
        """Copies the directories below a local directory to HDFS."""
        hadoop = self._session._jvm.org.apache.hadoop.fs
        source, target = hadoop.Path(request["source"]), hadoop.Path(request["path"])
        conf = self._session._jsc.hadoopConfiguration()
        local, remote = source.getFileSystem(conf), target.getFileSystem(conf)
        for directory in local.listStatus(source):
            place = hadoop.Path(target, directory.getPath().getName())
            remote.mkdirs(place)
            for file in local.listStatus(directory.getPath()):
                remote.copyFromLocalFile(file.getPath(), place)
        return {}

    def archive(self, request):
        """Writes parts of the records as files of a directory by day."""
        for part in request["parts"]:
            tables.archive(self._session, request["source"], request["path"], **part)
        return {}

    def more(self, request):
        """Writes a few more records as a file of such a directory, other ones for each number."""
        tables.more(self._session, request["source"], request["path"], request["number"])
        return {}

    def asked(self, request):
        """A signal, a device and a time of the records."""
        found = self._session.read.parquet(request["source"]).selectExpr("min(signal) s", "max(device) d", "avg(timestamp_ns) t").first()
        return {"signal": found.s, "device": found.d, "from": int(found.t)}

    def drop(self, request):
        """Deletes an Iceberg table and its files."""
        self._session.sql(f"DROP TABLE {request['table']} PURGE")
        return {}

    def _cost(self, write):
        start, cpu = time.monotonic(), self._cpu_seconds()
        write()
        found = {"seconds": time.monotonic() - start, "cpuSeconds": self._cpu_seconds() - cpu}
        # Spark deletes a shuffle's files when nothing in the driver refers to it any more.
        gc.collect()
        self._session._jvm.System.gc()
        return found

    def stored(self, request):
        """Files, and bytes with all copies, below a directory."""
        path = self._session._jvm.org.apache.hadoop.fs.Path(request["path"])
        system = path.getFileSystem(self._session._jsc.hadoopConfiguration())
        summary = system.getContentSummary(path)
        return {"files": summary.getFileCount(), "bytes": summary.getSpaceConsumed()}

    def used(self, request):
        """The bytes that the DataNodes have, as they have told the NameNode last."""
        path = self._session._jvm.org.apache.hadoop.fs.Path(request["path"])
        return {"bytes": path.getFileSystem(self._session._jsc.hadoopConfiguration()).getStatus().getUsed()}

    def query(self, request):
        """Runs a query on a table, which is opened if it is not yet."""
        table = request["table"]
        self._choose(table)
        if _key(table) not in self._opened:
            self.open(request)
        before = spark_metrics.last_execution(self._session)
        began, start = time.time(), time.monotonic()
        query = _queries(request).query(request["query"], self._opened[_key(table)], request["parameters"])
        rows = query.collect()
        found = {"seconds": round(time.monotonic() - start, 4)}
        answer = spark_metrics.answer_lines(rows)
        read = spark_metrics.what_was_read(self._session, before)
        first = read.pop("firstTask")
        found["planSeconds"] = found["seconds"] if first is None else round(max(0.0, first - began), 3)
        found["rows"] = len(answer)
        found["digest"] = digest(answer)
        found["sample"] = answer[:2]
        found["scans"] = [scan[:240] for scan in spark_metrics.scans(query, SCANS)]
        return {**found, **read}

    def plan(self, request):
        """Plans a query of a single scan on an open table, up to its tasks, without running it; tells how many files it
        would read. The query may be of files that do not exist."""
        self._choose(request["table"])
        queries, start = _queries(request), time.monotonic()
        query = queries.query(request["query"], self._opened[_key(request["table"])], request["parameters"])
        execution = query._jdf.queryExecution()
        tasks = execution.toRdd().getNumPartitions()
        seconds = round(time.monotonic() - start, 4)
        scans = [scan[:240] for scan in spark_metrics.scans(query, SCANS)]
        files = _planned_files(execution.executedPlan().collectLeaves().head(), queries)
        return {"seconds": seconds, "tasks": tasks, "files": files, "scans": scans}

    def queue(self, request):
        """Lets jobs arrive one after the other and queue; see queue_run."""
        self._choose(request["table"])
        meas, queries = self._session.read.parquet(request["table"]["path"]), _queries(request)

        def job(name, parameters):
            return digest(spark_metrics.answer_lines(queries.query(name, meas, parameters).collect()))

        return queue_run.run(job, request["jobs"], request["intervalSeconds"], request["workers"])

    def open(self, request):
        """Opens a table, again if it is open."""
        table, start = request["table"], time.monotonic()
        reader = self._session.read.schema(table["schema"]) if "schema" in table else self._session.read
        self._opened[_key(table)] = reader.parquet(table["path"]) if "path" in table else self._session.table(table["name"])
        return {"seconds": round(time.monotonic() - start, 4)}

    def catalog(self, request):
        """Names an Iceberg catalog with its settings; none of that name may have been used."""
        name = f"spark.sql.catalog.{request['name']}"
        self._session.conf.set(name, ICEBERG_CATALOG)
        for key, value in request["settings"].items():
            self._session.conf.set(f"{name}.{key}", value)
        return {}

    def create(self, request):
        """Creates an empty Iceberg table as 'write' would, for others to fill."""
        tables.create_iceberg(self._session, request["table"], partitioned=True)
        self._refresh(request["table"])
        return {}

    def contents(self, request):
        """How many records a table has, and a digest of them all, whatever their order."""
        table = request["table"]
        self._choose(table)
        if "name" in table:
            self._refresh(table["name"])
        self.open(request)
        columns = ", ".join(COLUMNS)
        found = self._opened.pop(_key(table)).selectExpr(f"xxhash64({columns}) AS hash")
        digest = found.selectExpr("count(1) AS records", "sum(cast(hash AS decimal(38, 0))) AS digest").first()
        return {"records": digest.records, "digest": str(digest.digest)}

    def _choose(self, table):
        """Lets MPSR read the group that a table names, or any."""
        self._session.conf.set("spark.mpsr.group", table.get("group", ""))

    def _refresh(self, name):
        """Forgets what was seen of an Iceberg table that others write: its catalog would show that for a while."""
        self._session.sql(f"REFRESH TABLE {name}")

    def _cpu_seconds(self):
        """Of the JVM: what Python does here is next to nothing."""
        with open(f"/proc/{self._session._jvm.ProcessHandle.current().pid()}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def digest(answer):
    """A few characters that differ when answers do."""
    return hashlib.sha256("\n".join(answer).encode()).hexdigest()[:32]


def _queries(request):
    return importlib.import_module(request["queries"])


def _planned_files(scan, queries):
    """Spark counts the files of its own scans; those of others say how many records they expect."""
    if scan.metrics().contains("numFiles"):
        return scan.metrics().apply("numFiles").value()
    return scan.scan().estimateStatistics().numRows().getAsLong() // queries.RECORDS_PER_FILE


def _key(table):
    return json.dumps(table, sort_keys=True)


def _say(answer):
    print("answer " + json.dumps(answer), flush=True)


def main(answering=Session):
    """Reads requests until 'stop' or the end of the input. One that fails is answered by its error.

    ``answering`` is a kind of Session.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of the session")
    arguments = parser.parse_args()
    builder = SparkSession.builder.appName("benchmark")
    for setting in arguments.conf:
        builder = builder.config(*setting.split("=", 1))
    session = answering(builder.getOrCreate())
    _say(session.hello())
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "stop":
            break
        try:
            _say(getattr(session, request["op"])(request))
        except Exception as error:  # whatever it is, the launcher decides
            traceback.print_exc()
            _say({"error": f"{type(error).__name__}: {str(error)[:1500]}"})


if __name__ == "__main__":
    main()
