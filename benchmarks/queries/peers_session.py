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
"""A Spark session that the benchmark 'peers' talks to: one JSON object a line in, one line 'answer {...}' out.

    python peers_session.py [--conf KEY=VALUE ...] < requests

Each request has an ``op``: parameters, write, stored, open, query, stop. Tables are {"path": ..., "group": ...} or {"name": ...}.
"""

import argparse
import hashlib
import json
import os
import sys
import time
import traceback

import peers_queries
import peers_tables
import spark_metrics
from pyspark.sql import SparkSession

SCANS = ("FileScan", "BatchScan")


class Session:
    """Answers the requests, one after the other."""

    def __init__(self, session):
        self._session = session
        self._opened = {}

    def hello(self):
        """What this session is."""
        return {
            "spark": self._session.version,
            "extensions": self._session.conf.get("spark.sql.extensions", ""),
            "shares": peers_queries.SHARES,
        }

    def parameters(self, request):
        """What the queries of all rounds ask for."""
        source = self._session.read.parquet(request["source"])
        found = peers_queries.derive_parameters(source, request["days"], request["seed"], request["rounds"])
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
        query = peers_queries.query(request["query"], self._opened[_key(table)], request["parameters"])
        rows = query.collect()
        found = {"seconds": round(time.monotonic() - start, 4)}
        answer = spark_metrics.answer_lines(rows)
        read = spark_metrics.what_was_read(self._session, before)
        first = read.pop("firstTask")
        found["planSeconds"] = found["seconds"] if first is None else round(max(0.0, first - began), 3)
        found["rows"] = len(answer)
        found["digest"] = hashlib.sha256("\n".join(answer).encode()).hexdigest()[:32]
        found["sample"] = answer[:2]
        found["scans"] = [scan[:240] for scan in spark_metrics.scans(query, SCANS)]
        return {**found, **read}

    def open(self, request):
        """Opens a table, again if it is open."""
        table, start = request["table"], time.monotonic()
        reader = self._session.read
        self._opened[_key(table)] = reader.parquet(table["path"]) if "path" in table else self._session.table(table["name"])
        return {"seconds": round(time.monotonic() - start, 4)}

    def _cpu_seconds(self):
        """Of the JVM: what Python does here is next to nothing."""
        with open(f"/proc/{self._session._jvm.ProcessHandle.current().pid()}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _key(table):
    return json.dumps(table, sort_keys=True)


def _say(answer):
    print("answer " + json.dumps(answer), flush=True)


def main():
    """Reads requests until 'stop' or the end of the input. One that fails is answered by its error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of the session")
    builder = SparkSession.builder.appName("peers")
    for setting in parser.parse_args().conf:
        builder = builder.config(*setting.split("=", 1))
    session = Session(builder.getOrCreate())
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
