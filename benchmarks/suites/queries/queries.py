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
"""The quickstart's queries as a mix of a benchmark: each counts alike, and each round asks for other signals and days."""

import random

from pyspark.sql import functions as F

from mpsr_launcher.quickstart import spark_queries

SHARES = dict.fromkeys(
    (
        "one_signal_all_time",
        "three_signals",
        "one_day_all_signals",
        "six_hours_by_timestamp",
        "one_device_in_a_month",
        "one_system_in_a_week",
        "one_device_all_time",
        "two_signals_joined",
        "full_scan",
    ),
    1,
)


def derive_parameters(source, days, seed, rounds):
    """What each round's queries ask for, drawn from the records themselves; the same seed draws the same."""
    choice = random.Random(seed)
    signals, found = spark_queries.signals_and_days(source)
    return [spark_queries.pick(signals, found[:days], choice.choice) for _ in range(rounds)]


def query(name, meas, p):
    """The query of that name with a round's parameters. Means are of whole thousandths, which are exact in any order."""
    return spark_queries.queries(meas, p, lambda: F.avg((F.col("value") * 1000).cast("bigint")))[name]
