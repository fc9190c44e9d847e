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
"""The jobs of the benchmark 'paper': those of Boychenko et al. (ICALEPCS 2017, THPHA036), which ask for a variable by its
name, for a stretch of time, or for both. Here a variable is a signal."""

import random
from datetime import date, timedelta

from pyspark.sql import functions as F

from benchmarks.harness.spark.readings import DAY, days_between, extent

DAY_NS = 24 * 3600 * 10**9
_EPOCH = date(1970, 1, 1)


def derive_parameters(source, days, seed, rounds):
    """What each round's jobs ask for, drawn from the records themselves; the same seed draws the same.

    Signals are drawn among the half that logs most. A stretch is a tenth of all days with a name, a quarter of a day
    without.
    """
    choice = random.Random(seed)
    rows = source.groupBy("signal").count().orderBy(F.desc("count"), "signal").collect()
    busy = [row.signal for row in rows[: max(2, len(rows) // 2)]]
    first = source.select(F.expr(DAY).alias("day")).agg(F.min("day").alias("day")).first().day
    stretch = max(1, days // 10)
    found = []
    for _ in range(rounds):
        day = first + timedelta(days=choice.randrange(days))
        start = first + timedelta(days=choice.randrange(days - stretch + 1))
        quarter = quarter_of(day, choice)
        found.append(
            {
                "signal": choice.choice(busy),
                **quarter,
                "stretch": [str(start), str(start + timedelta(days=stretch - 1))],
            }
        )
    return found


def quarter_of(day, choice):
    """A quarter of a day that is drawn, as the job by time asks for it."""
    from_ns = (day - _EPOCH).days * DAY_NS + choice.randrange(4) * (DAY_NS // 4)
    return {"day": str(day), "fromNs": from_ns, "toNs": from_ns + DAY_NS // 4 - 1}


def query(name, meas, p):
    """The job of that name with a round's parameters."""
    return _JOBS[name](meas, p).agg(*extent())


_JOBS = {
    "name": lambda meas, p: meas.filter(F.col("signal") == p["signal"]),
    "time": lambda meas, p: meas.filter(
        days_between(p["day"], p["day"]) & F.col("timestamp_ns").between(p["fromNs"], p["toNs"])
    ),
    "both": lambda meas, p: meas.filter((F.col("signal") == p["signal"]) & days_between(*p["stretch"])),
}
SHARES = dict.fromkeys(_JOBS, 1)
