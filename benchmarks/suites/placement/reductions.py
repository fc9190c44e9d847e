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
"""The reductions of the suite 'placement', drawn by a seed."""

import datetime
import random

KINDS = ["statistics", "intervals", "chart", "heatmap"]
WIDTHS = (200, 1000)


def drawn(seed, count, signals, begin, days):
    """So many reductions, as arguments of ``hdfs mpsr query`` without the dataset, by the names of their kinds.

    A half of them reads one signal or one day, and a half reads all records of half the days or more.
    """
    rng = random.Random(seed)
    found = []
    for number in range(count):
        wide = number % 2 == 1
        kind = KINDS[number // 2 % len(KINDS)] if wide else rng.choice(KINDS)
        length = rng.randint((days + 1) // 2, days) if wide else rng.choice((1, days))
        first = begin + datetime.timedelta(days=rng.randint(0, days - length))
        arguments = ["--column", "value", "--from", str(first), "--to", str(first + datetime.timedelta(days=length))]
        if not wide:
            arguments += ["--where", f"signal = '{rng.choice(signals)}'"]
        if kind == "intervals":
            arguments += ["--interval", rng.choice(("1h", "1d"))]
        elif kind == "chart":
            arguments += ["--width", str(rng.choice(WIDTHS))]
        elif kind == "heatmap":
            arguments += ["--width", "20", "--by", "device"]
        found.append({"kind": kind, "arguments": ["statistics" if kind == "intervals" else kind, *arguments]})
    return found
