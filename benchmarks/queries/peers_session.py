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

    python peers_session.py [--queries MODULE] [--conf KEY=VALUE ...] < requests

Each request has an ``op``: parameters, write, stored, open, query, plan, queue, create, contents, stop. Tables are
{"path": ..., "group": ..., "schema": ...} or {"name": ...}.
"""

import argparse
import hashlib
import importlib
import json
import os
import sys
import time
import traceback

import peers_tables
import queue_run
import spark_metrics
from pyspark.sql import SparkSession

SCANS = ("FileScan", "BatchScan")
COLUMNS = ("signal", "device", "system", "cast(timestamp_ns AS bigint)", "value", "fill", "mode")


class Session:
    """Answers the requests, one after the other."""

    def __init__(self, session, queries):
        self._session = session
        self._queries = queries
        self._opened = {}

    def hello(self):
        """What this session is."""
        return {
            "spark": self._session.version,
            "extensions": self._session.conf.get("spark.sql.extensions", ""),
            "shares": self._queries.SHARES,
        }

    def parameters(self, request):
        """What the queries of all rounds ask for."""
        source = self._session.read.parquet(request["source"])
        found = self._queries.derive_parameters(source, request["days"], request["seed"], request["rounds"])
        return {"parameters": found, "records": source.count()}

    def write(self, request):
        """Writes the records in a layout; tells the seconds and the CPU seconds of this process."""
        start, cpu = time.monotonic(), self._cpu_seconds()
        peers_tables.write(self._session, request["layout"], request["source"], request["table"])
        return {"seconds": time.monotonic() - start, "cpuSeconds": self._cpu_seconds() - cpu}

    def stored(self, request):
        """Files, and bytes with all copies, below a directory."""
        path = self._session._jvm.org.apache.hadoop.fs.Path(request["path"])
        system = path.getFileSystem(self._session._jsc.hadoopConfiguration())
        summary = system.getContentSummary(path)
        return {"files": summary.getFileCount(), "bytes": summary.getSpaceConsumed()}

    def query(self, request):
        """Runs a query on a table, which is opened if it is not yet."""
        table = request["table"]
        self._session.conf.set("spark.mpsr.group", table.get("group", ""))
        if _key(table) not in self._opened:
            self.open(request)
        before = spark_metrics.last_execution(self._session)
        began, start = time.time(), time.monotonic()
        query = self._queries.query(request["query"], self._opened[_key(table)], request["parameters"])
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
        start = time.monotonic()
        query = self._queries.query(request["query"], self._opened[_key(request["table"])], request["parameters"])
        execution = query._jdf.queryExecution()
        tasks = execution.toRdd().getNumPartitions()
        seconds = round(time.monotonic() - start, 4)
        scans = [scan[:240] for scan in spark_metrics.scans(query, SCANS)]
        files = self._planned_files(execution.executedPlan().collectLeaves().head())
        return {"seconds": seconds, "tasks": tasks, "files": files, "scans": scans}

    def _planned_files(self, scan):
        """Spark counts the files of its own scans; those of others say how many records they expect."""
        if scan.metrics().contains("numFiles"):
            return scan.metrics().apply("numFiles").value()
        return scan.scan().estimateStatistics().numRows().getAsLong() // self._queries.RECORDS_PER_FILE

    def queue(self, request):
        """Lets jobs arrive one after the other and queue; see queue_run."""
        meas = self._session.read.parquet(request["table"]["path"])

        def job(name, parameters):
            return digest(spark_metrics.answer_lines(self._queries.query(name, meas, parameters).collect()))

        return queue_run.run(job, request["jobs"], request["intervalSeconds"], request["workers"])

    def open(self, request):
        """Opens a table, again if it is open."""
        table, start = request["table"], time.monotonic()
        reader = self._session.read.schema(table["schema"]) if "schema" in table else self._session.read
        self._opened[_key(table)] = reader.parquet(table["path"]) if "path" in table else self._session.table(table["name"])
        return {"seconds": round(time.monotonic() - start, 4)}

    def create(self, request):
        """Creates an empty Iceberg table as 'write' would, for others to fill."""
        peers_tables.create_iceberg(self._session, request["table"], partitioned=True)
        # Iceberg's catalog would show it empty for a while.
        self._session.sql(f"REFRESH TABLE {request['table']}")
        return {}

    def contents(self, request):
        """How many records a table has, and a digest of them all, whatever their order."""
        table = request["table"]
        self._session.conf.set("spark.mpsr.group", table.get("group", ""))
        self.open(request)
        columns = ", ".join(COLUMNS)
        found = self._opened.pop(_key(table)).selectExpr(f"xxhash64({columns}) AS hash")
        digest = found.selectExpr("count(1) AS records", "sum(cast(hash AS decimal(38, 0))) AS digest").first()
        return {"records": digest.records, "digest": str(digest.digest)}

    def _cpu_seconds(self):
        """Of the JVM: what Python does here is next to nothing."""
        with open(f"/proc/{self._session._jvm.ProcessHandle.current().pid()}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def digest(answer):
    """A few characters that differ when answers do."""
    return hashlib.sha256("\n".join(answer).encode()).hexdigest()[:32]


def _key(table):
    return json.dumps(table, sort_keys=True)


def _say(answer):
    print("answer " + json.dumps(answer), flush=True)


def main():
    """Reads requests until 'stop' or the end of the input. One that fails is answered by its error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of the session")
    parser.add_argument("--queries", default="peers_queries", metavar="MODULE", help="what 'query' can ask (%(default)s)")
    arguments = parser.parse_args()
    builder = SparkSession.builder.appName("benchmark")
    for setting in arguments.conf:
        builder = builder.config(*setting.split("=", 1))
    session = Session(builder.getOrCreate(), importlib.import_module(arguments.queries))
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
