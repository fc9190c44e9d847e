# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""A NameNode with MPSR that has one dataset in two groups. It plans all files, whatever the filter is."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
from fake_hdfs import Failure

PATH = "/cals/meas"
STORE = "/.mpsr/datasets/1/signal"


class FakeMpsr:
    """Answers requests below /mpsr/v1.

    The default group ``time`` has a directory for each ``day`` and ``device``; ``signal`` has all columns in its files.
    """

    def __init__(self, hdfs, columns):
        """A dataset without files.

        Args:
            columns: Its columns: name, stored name and type.
        """
        self.hdfs = hdfs
        self.columns = columns
        self.directories = [{"name": "day", "type": "date"}, {"name": "device", "type": "string"}]
        self.planned = {"time": [], "signal": []}
        self.untracked = []
        self.asked = []
        """The bodies of requests for plans."""
        self.before = lambda body: None
        """Is called before each plan; may raise Failure."""
        self.page = 2
        self.stock = None
        """Why a read is one of stock."""

    def add(self, group, name, table, partition=None):
        """A file of a group; of the default group with the texts of its directories."""
        texts = partition or {}
        escaped = "/".join(f"{field}={'__HIVE_DEFAULT_PARTITION__' if text is None else text}" for field, text in texts.items())
        path = "/".join(part for part in ({"time": PATH, "signal": STORE}[group], escaped, f"{name}.parquet") if part)
        content = self.put(path, table)
        part = 0
        self.planned[group].append(
            {"path": path, "length": len(content), "modificationTime": 0, "records": len(table), "part": part, "partition": texts}
        )
        return path

    def put(self, path, table):
        """A file of HDFS."""
        sink = io.BytesIO()
        pq.write_table(table, sink, row_group_size=50)
        self.hdfs.files[path] = sink.getvalue()
        return self.hdfs.files[path]

    def described(self):
        """What the NameNode says of the dataset."""
        return {
            "path": PATH,
            "columns": [dict(zip(("name", "stored", "type"), column), nullable=True) for column in self.columns],
            "directoryColumns": self.directories,
            "defaultGroup": "time",
            "groups": [{"name": "time", "predicates": ["day(t)", "device"]}, {"name": "signal", "predicates": ["signal"]}],
        }

    def answer(self, path, query, body):
        """The answer to a request, or Failure."""
        if path == "/status":
            return {"state": "ready"}
        if path == "/datasets":
            return {"datasets": [self.described()] if PATH.startswith(query["path"].rstrip("/")) else [], "next": None}
        if path == f"/datasets{PATH}":
            return self.described()
        if path != "/plan" or body["path"] != PATH:
            raise Failure(404, "FileNotFoundException", f"there is no dataset at {path}")
        self.asked.append(body)
        self.before(body)
        group = body.get("group", "signal")
        files = self.planned[group]
        start = int(body.get("page", 0))
        end = start + self.page
        page = {"files": files[start:end], "nextPage": str(end) if end < len(files) else None}
        if start:
            return page
        return json.loads(
            json.dumps(
                {
                    **self.described(),
                    **page,
                    "stock": self.stock is not None,
                    "group": group,
                    "reason": self.stock or "cheapest",
                    "asOf": None,
                    "parts": [],
                    "candidates": [],
                    "untracked": self.untracked,
                }
            )
        )


def table(columns, records):
    """Records, which are dicts, as a table of these columns: pairs of names and types."""
    return pa.table({name: pa.array([record[name] for record in records], kind) for name, kind in columns})
