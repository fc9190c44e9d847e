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
"""Curves for the page of pictures: explore_data.py FILE.parquet RECORDS SEED, with a Python that has PyArrow.

Each signal has so many records in a day, with a spike of one record. Prints one JSON object: of each signal the number of values,
the lowest, the highest and the mean one, and the time of the spike in nanoseconds.
"""

import json
import sys

NAMES = ("LHC.B1:I_MEAS", "LHC.B2:I_MEAS", "SPS.QF1:TEMP", '=1+<img src=x onerror="window.hacked=1">')
BEGIN = 1_493_596_800_000_000_000
DAY = 86_400 * 10**9


def main(file, records, seed):
    """Writes the file, and prints."""
    import numpy  # Who only needs the names has none of these.
    import pyarrow
    import pyarrow.parquet

    drawn = numpy.random.default_rng(seed)
    tables, told = [], {}
    for number, name in enumerate(NAMES):
        times = BEGIN + numpy.sort(drawn.choice(DAY // 1000, records, replace=False)) * 1000 + number
        phase = (times - BEGIN) / DAY * 2 * numpy.pi
        values = 10 * (number + 1) + numpy.sin(phase * (number + 1)) + drawn.normal(0, 0.05, records)
        spike = int(drawn.integers(records // 4, records // 2))
        values[spike] += 3
        unknown = drawn.random(records) < 0.01
        unknown[spike] = False
        tables.append(
            pyarrow.table(
                {
                    "signal": [name] * records,
                    "device": [name.split(":")[0]] * records,
                    "system": ["test"] * records,
                    "timestamp_ns": times,
                    "value": pyarrow.array(values, mask=unknown),
                    "fill": numpy.ones(records, "int64"),
                    "mode": ["STABLE"] * records,
                }
            )
        )
        known = values[~unknown]
        told[name] = {"count": len(known), "min": known.min(), "max": known.max(), "mean": known.mean(), "spike": int(times[spike])}
    pyarrow.parquet.write_table(pyarrow.concat_tables(tables).sort_by("timestamp_ns"), file)
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
