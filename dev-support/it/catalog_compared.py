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
"""What clients of a gateway that are no Sparks answer, beside what stock Spark does."""

from pathlib import Path
from urllib.parse import urlsplit

import catalog_clients
from mpsr_launcher.cluster.spark import Spark


def ask(client, cluster, dataset, tables, queries, seed):
    """Asks each table the same random queries: the first is the dataset's, the others are those of groups.

    ``client.rows`` has the rows of each of some queries, ``client.path`` the column with the file of a record, if there is one,
    ``client.checksum`` the CRC-32 of a text, and ``client.left_out`` the columns that the tables do not have.
    Of conditions that are not random, also tells the directories that the files are in.
    """
    stock = _stock(cluster, dataset, queries, seed, client.left_out)
    pairs = [(asked, table) for asked in stock["queries"] for table in tables]
    texts = [f"SELECT {_selected(client, asked, stock)} FROM {table} WHERE {asked['trino']}" for asked, table in pairs]
    fixed = [(asked, table) for asked, table in pairs if asked["seed"] is None]
    files = [f"SELECT DISTINCT {client.path} FROM {table} WHERE {asked['trino']}" for asked, table in fixed if client.path]
    answers, paths = client.rows(texts), client.rows(files)
    found = {"asked": {}, "random": {"asked": 0, "withRecords": 0, "differing": {}}}
    for (asked, table), ((*answer,),) in zip(pairs, answers):
        told = [str(value) for value in answer]
        if asked["seed"] is None:
            found["asked"][f"{asked['trino']} of {table}"] = {"catalog": told, "stock": asked["answer"], "roots": []}
            continue
        found["random"]["asked"] += 1
        found["random"]["withRecords"] += asked["answer"][1] != "0"
        if told != asked["answer"]:
            found["random"]["differing"][f"{asked['seed']} of {table}"] = [asked["trino"], asked["answer"], told]
    for (asked, table), rows in zip(fixed, paths):
        found["asked"][f"{asked['trino']} of {table}"]["roots"] = sorted({_root(urlsplit(file).path, dataset) for (file,) in rows})
    return found, stock


def digest(client, stock):
    """What tells the records of a query apart, in the client's SQL."""
    return f"sum({client.checksum.format(stock['record'])})"


def _selected(client, asked, stock):
    return ", ".join((digest(client, stock), "count(*)", *asked["asked"]))


def _root(path, dataset):
    return "default" if path.startswith(dataset + "/") else path.split("/")[4]


def _stock(cluster, dataset, queries, seed, left_out):
    spark = Spark(cluster)
    program = str(Path(__file__).with_name("catalog_stock.py"))
    arguments = [cluster.state.fs_uri + dataset, str(queries), str(seed), ",".join(left_out)]
    return catalog_clients.told(cluster, spark, [spark.program("spark-submit"), program, *arguments])
