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
"""The query mix of the benchmark 'peers': what is asked of an archive of measurements, and how often.

Every query is written once, against the columns signal, device, system, timestamp_ns, value, fill, mode and day; the
tables differ in their layout alone. As NXCALS does for its users, a query on time also names the days. Sums are of whole
numbers, so that the order of the records does not matter.
"""

import random
from datetime import timedelta

from pyspark.sql import functions as F

from benchmarks.harness.spark.readings import DAY, days_between, extent

HOUR_NS = 3600 * 10**9
HIGH = [0.998 + number / 10_000 for number in range(16)]
"""A threshold is one of these quantiles of all values: 0.05 to 0.2 % are above it."""

def derive_parameters(source, days, seed, rounds):
    """What each round's queries ask for, drawn from the records themselves; the same seed draws the same.

    Signals are drawn among the half that logs most. A month is 30 of 400 days, a week 7, of fewer days as many fewer.
    """
    choice = random.Random(seed)
    rows = source.groupBy("signal", "device", "system").count().orderBy(F.desc("count"), "signal").collect()
    busy = rows[: max(2, len(rows) // 2)]
    first = source.select(F.expr(DAY).alias("day")).agg(F.min("day").alias("day")).first().day
    high = source.approxQuantile("value", HIGH, 0.0001)
    month, week = max(1, round(days * 30 / 400)), max(1, round(days * 7 / 400))
    found = []
    for _ in range(rounds):
        signal = choice.choice(busy)
        # another signal of the device, if there is one
        others = [row for row in busy if row.device == signal.device and row.signal != signal.signal]
        day = first + timedelta(days=choice.randrange(days))
        month_start = first + timedelta(days=choice.randrange(days - month + 1))
        week_start = first + timedelta(days=choice.randrange(days - week + 1))
        from_ns = (day.toordinal() - 719163) * 24 * HOUR_NS + choice.randrange(19) * HOUR_NS
        found.append(
            {
                "signal": signal.signal,
                "otherSignal": choice.choice(others or busy).signal,
                "device": signal.device,
                "system": signal.system,
                "mode": choice.choice(["STABLE", "RAMP", "FLATTOP", "SQUEEZE"]),
                "day": str(day),
                "fromNs": from_ns,
                "toNs": from_ns + 6 * HOUR_NS - 1,
                "month": [str(month_start), str(month_start + timedelta(days=month - 1))],
                "week": [str(week_start), str(week_start + timedelta(days=week - 1))],
                "threshold": choice.choice(high),
            }
        )
    return found


def query(name, meas, p):
    """The query of that name with a round's parameters."""
    return _QUERIES[name][1](meas, p)


def _window_many_signals(meas, p):
    window = days_between(p["day"], p["day"]) & F.col("timestamp_ns").between(p["fromNs"], p["toNs"])
    return meas.filter(window).groupBy("device").agg(*extent())


def _one_signal_long(meas, p):
    return meas.filter(F.col("signal") == p["signal"]).groupBy("signal").agg(*extent())


def _device_month(meas, p):
    return meas.filter((F.col("device") == p["device"]) & days_between(*p["month"])).groupBy("signal").agg(*extent())


def _system_mode(meas, p):
    wanted = (F.col("system") == p["system"]) & (F.col("mode") == p["mode"]) & days_between(*p["month"])
    return meas.filter(wanted).groupBy("device").agg(*extent())


def _value_threshold(meas, p):
    return meas.filter(F.col("value") > p["threshold"]).groupBy("signal").agg(*extent())


def _correlation(meas, p):
    def hourly(signal, name):
        hour = F.expr(f"timestamp_ns div {HOUR_NS}").alias("hour")
        values = meas.filter(F.col("signal") == signal).groupBy(hour)
        return values.agg(F.avg((F.col("value") * 1000).cast("bigint")).alias(name))

    both = hourly(p["signal"], "one").join(hourly(p["otherSignal"], "other"), "hour")
    return both.agg(F.count("*").alias("n"), F.round(F.corr("one", "other"), 6).alias("correlation"))


def _top_n(meas, p):
    columns = ["value", "signal", "timestamp_ns", "device", "system", "fill", "mode"]
    highest = meas.filter(days_between(*p["week"])).select(*columns)
    return highest.orderBy(F.desc("value"), "signal", "timestamp_ns").limit(20)


def _full_scan(meas, p):
    return meas.groupBy("system", "mode").agg(*extent(), F.max("fill").alias("fill"))


# The share of each query in the mix, in percent, and how it is asked.
_QUERIES = {
    "window_many_signals": (20, _window_many_signals),
    "one_signal_long": (25, _one_signal_long),
    "device_month": (15, _device_month),
    "system_mode": (10, _system_mode),
    "value_threshold": (10, _value_threshold),
    "correlation": (10, _correlation),
    "top_n": (5, _top_n),
    "full_scan": (5, _full_scan),
}
SHARES = {name: share for name, (share, _) in _QUERIES.items()}
