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
"""What the runs of the suite 'queries' say."""

from benchmarks.harness import layout_tables
from benchmarks.harness.statistics import compare
from benchmarks.suites.peers.figures import OURS, STOCK, common, problems, ratio

__all__ = ["add", "problems"]


def add(results, shares, seed):
    """Makes the figures and plots of the results."""
    series, layouts = common(results, shares, seed)
    for query in shares:
        ratio(results, f"{OURS}.{query}.vs.{STOCK}", compare(series.of(OURS, query), series.of(STOCK, query), seed))
    ratio(results, f"{OURS}.vs.{STOCK}", compare(series.mix(OURS), series.mix(STOCK), seed))
    results.tables = layout_tables.tables(results, shares, layouts, [STOCK, "best-group"])
    results.notes += ["Each query counts alike in the mix. A single group is MPSR with spark.mpsr.group set to it."]
