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
"""Asks the directory of a dataset what another engine than Spark is asked, too, with stock Spark:

    catalog_stock.py DIRECTORY QUERIES SEED

Prints one JSON object of the queries: the condition as Spark and as Trino have it, what is selected, and the answer.
"""

import json
import random
import sys

from catalog_queries import ASKED, CONDITIONS, Trino, condition
from pyspark.sql import SparkSession

_TEXTS = (
    *("signal", "device", "system", "cast(timestamp_ns AS {text})"),
    *("cast(cast(floor(value * 1048576) AS bigint) AS {text})", "cast(fill AS {text})", "mode", "cast(day AS {text})"),
)
"""Each column as a text that Spark and Trino have alike: they write numbers with a fraction differently."""


def digest(text, checked):
    """What tells records apart, in SQL where ``text`` is the type of texts and ``checked`` has the checksum of one."""
    parts = ", ".join(f"coalesce({part.format(text=text)}, '~')" for part in _TEXTS)
    return f"sum({checked.format(f'concat_ws(chr(1), {parts})')})"


def main(directory, queries, seed):
    """Asks and prints."""
    stock = SparkSession.builder.master("local[2]").getOrCreate().read.parquet(directory)
    first = stock.selectExpr("min(signal) AS signal", "max(device) AS device", "min(day) AS day").first().asDict()
    rows = [row.asDict() for row in stock.orderBy("timestamp_ns", "signal").limit(300).collect()]
    asked = [(None, text.format(**first), text.format(**first), ASKED) for text in CONDITIONS]
    for number in range(int(seed), int(seed) + int(queries)):
        draw = random.Random(number)
        text = condition(draw, rows)
        asked.append((number, text, condition(random.Random(number), rows, Trino), draw.sample(ASKED, 2)))
    found = []
    for number, text, other, selected in asked:
        answer = stock.where(text).selectExpr(digest("string", "crc32({})"), "count(*)", *selected).first()
        found.append({"seed": number, "spark": text, "trino": other, "asked": selected, "answer": [str(value) for value in answer]})
    print(json.dumps({"digest": digest("varchar", "crc32(to_utf8({}))"), "queries": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
