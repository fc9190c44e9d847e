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
"""The jobs of the benchmark 'elastic': those of 'paper', for signals and days of which few are asked for most."""

import itertools
import random
from datetime import timedelta

from pyspark.sql import functions as F

from benchmarks.harness.spark.readings import DAY
from benchmarks.suites.paper import queries

SKEW = 1.1
"""The n-th most popular signal or day is asked for n to the power of minus this as often as the first one (Zipf's law)."""
SHARES = {"name": 1, "time": 1}
query = queries.query


def derive_parameters(source, days, seed, rounds):
    """What each job asks for: a signal of any, and a quarter of a day; the same seed draws the same."""
    choice = random.Random(seed)
    signals = [row.signal for row in source.select("signal").distinct().orderBy("signal").collect()]
    first = source.select(F.expr(DAY).alias("day")).agg(F.min("day").alias("day")).first().day
    dates = [first + timedelta(days=number) for number in range(days)]
    for popular in (signals, dates):
        choice.shuffle(popular)
    found = []
    for signal, day in zip(_drawn(choice, signals, rounds), _drawn(choice, dates, rounds)):
        found.append({"signal": signal, **queries.quarter_of(day, choice)})
    return found


def _drawn(choice, popular, count):
    weights = list(itertools.accumulate((place + 1) ** -SKEW for place in range(len(popular))))
    return choice.choices(popular, cum_weights=weights, k=count)
