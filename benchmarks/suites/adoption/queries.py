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
"""What is asked of an archive while it is adopted."""

from pyspark.sql import functions as F


def query(name, meas, parameters):
    """One of the queries: the records of a signal, of a device, of an hour; or all records, counted by mode."""
    chosen = {
        "signal": lambda: meas.where(F.col("signal") == parameters["signal"]),
        "device": lambda: meas.where(F.col("device") == parameters["device"]),
        "hour": lambda: meas.where(F.col("timestamp_ns").between(parameters["from"], parameters["from"] + 3600 * 10**9)),
        "all": lambda: meas,
    }[name]()
    return chosen.groupBy("mode").agg(F.count(F.lit(1)), F.min("value"), F.max("timestamp_ns"), F.sum("fill"))
