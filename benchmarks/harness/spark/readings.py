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
"""Columns and conditions of the records that the generator makes."""

from pyspark.sql import functions as F

DAY = "cast(timestamp_seconds(timestamp_ns div 1000000000) as date)"


def extent():
    """Aggregates of values that do not depend on the order of records."""
    total = F.sum((F.col("value") * 1000).cast("bigint")).alias("total")
    return [F.count("*").alias("n"), F.count("value").alias("values"), F.min("value"), F.max("value"), total]


def days_between(first, last):
    """Whether a record is of one of these days."""
    return F.col("day").between(F.lit(first).cast("date"), F.lit(last).cast("date"))
