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
"""Selective queries that the benchmark 'scale' has planned and not run: what NameNode's PlanningCost plans, as Spark asks it."""

from pyspark.sql import functions as F

from benchmarks.harness.spark.readings import days_between

RECORDS_PER_FILE = 50_000


def query(name, meas, p):
    """The query of that name."""
    return _QUERIES[name](meas, p).select("timestamp_ns", "value")


def _days(p, which):
    day, from_ns, to_ns = p[which]
    return days_between(day, day) & F.col("timestamp_ns").between(from_ns, to_ns)


_QUERIES = {
    "signal": lambda meas, p: meas.filter(F.col("signal") == p["signal"]),
    "day": lambda meas, p: meas.filter(_days(p, "day")),
    "device": lambda meas, p: meas.filter((F.col("system") == p["system"]) & (F.col("device") == p["device"])),
    "both": lambda meas, p: meas.filter((F.col("signal") == p["signal"]) & _days(p, "dayOfSignal")),
}
SHARES = dict.fromkeys(_QUERIES, 1)
