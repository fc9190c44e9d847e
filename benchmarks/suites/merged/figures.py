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
"""What the queries on a merged dataset cost, against one that was loaded at once, its best group, and stock."""

from benchmarks.harness import layout_tables
from benchmarks.harness.statistics import compare
from benchmarks.suites.peers.figures import OURS, STOCK, common, problems, ratio

__all__ = ["AT_ONCE", "add", "problems"]

AT_ONCE = "mpsr_at_once"
GOAL = 1.05
"""For the mix against the dataset that was loaded at once, and for the query of a system in a mode against stock."""
OF_A_SYSTEM = "system_mode"


def add(results, shares, seed):
    """Makes the figures and plots of the results."""
    series, layouts = common(results, shares, seed)
    for query in shares:
        goal = GOAL if query == OF_A_SYSTEM else None
        ratio(results, f"{OURS}.{query}.vs.{STOCK}", compare(series.of(OURS, query), series.of(STOCK, query), seed), goal)
        ratio(results, f"{OURS}.{query}.vs.{AT_ONCE}", compare(series.of(OURS, query), series.of(AT_ONCE, query), seed))
    ratio(results, f"{OURS}.vs.{STOCK}", compare(series.mix(OURS), series.mix(STOCK), seed))
    ratio(results, f"{OURS}.vs.{AT_ONCE}", compare(series.mix(OURS), series.mix(AT_ONCE), seed), GOAL)
    results.tables = layout_tables.tables(results, shares, layouts, [STOCK, AT_ONCE, "best-group"])
    results.notes += [f"{OURS} was loaded in many commits, which were then merged. {AT_ONCE} was loaded in as few as the sink makes."]
