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

    catalog_stock.py DIRECTORY QUERIES SEED LEFT_OUT

LEFT_OUT has columns that the other does not have, separated by commas.
Prints one JSON object: ``record``, the text of a record in the SQL of others, and of each query the condition as Spark and as Trino
have it, what is selected, and the answer, which begins with the sum of the CRC-32 of the records and with their number.
"""

import json
import random
import sys

from catalog_queries import ASKED, CONDITIONS, Trino, condition
from pyspark.sql import SparkSession

_TEXTS = {
    **{name: name for name in ("signal", "device", "system", "mode")},
    **{name: f"cast({name} AS {{text}})" for name in ("timestamp_ns", "fill", "day")},
    "value": "cast(cast(floor(value * 1048576) AS bigint) AS {text})",
}
"""Each column as a text that Spark and Trino have alike: they write numbers with a fraction differently."""


def record(text, left_out):
    """A record as one text, in SQL where ``text`` is the type of texts."""
    parts = ", ".join(f"coalesce({part.format(text=text)}, '~')" for name, part in _TEXTS.items() if name not in left_out)
    return f"concat_ws(chr(1), {parts})"


def main(directory, queries, seed, left_out=""):
    """Asks and prints."""
    missing = [name for name in left_out.split(",") if name]
    stock = SparkSession.builder.master("local[2]").getOrCreate().read.parquet(directory)
    first = stock.selectExpr("min(signal) AS signal", "max(device) AS device", "min(day) AS day").first().asDict()
    known = stock.drop(*missing)
    rows = [row.asDict() for row in known.orderBy("timestamp_ns", "signal").limit(300).collect()]
    selectable = [each for each in ASKED if not any(f"({name})" in each for name in missing)]
    fixed = [text.format(**first) for text in CONDITIONS if not any(text.startswith(name) for name in missing)]
    asked = [(None, text, text, selectable) for text in fixed]
    for number in range(int(seed), int(seed) + int(queries)):
        draw = random.Random(number)
        text = condition(draw, rows)
        asked.append((number, text, condition(random.Random(number), rows, Trino), draw.sample(selectable, 2)))
    found = []
    for number, text, other, selected in asked:
        answer = known.where(text).selectExpr(f"sum(crc32({record('string', missing)}))", "count(*)", *selected).first()
        found.append({"seed": number, "spark": text, "trino": other, "asked": selected, "answer": [str(value) for value in answer]})
    print(json.dumps({"record": record("varchar", missing), "queries": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
