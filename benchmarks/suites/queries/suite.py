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
"""The suite 'queries': the quickstart's queries on stock's time partitioning, on each group of MPSR alone, and on MPSR."""

from benchmarks.harness import data_layouts
from benchmarks.harness.data_layouts import OURS, STOCK
from benchmarks.harness.records import Size
from benchmarks.suites.peers.suite import Peers
from benchmarks.suites.queries import figures as queries_figures


def size_of(scale):
    """Scale 1 is 100 million records of 5,000 signals in 100 days; smaller scales have fewer signals and days."""
    share = min(1.0, scale)
    return Size(round(100_000_000 * scale), max(200, round(5_000 * share)), max(10, round(100 * share)))


class Queries(Peers):
    """One run: as the suite 'peers', with these layouts and queries."""

    name = "queries"
    kinds = (STOCK, OURS)
    queries = "benchmarks.suites.queries.queries"
    quick_queries = ("one_signal_all_time", "six_hours_by_timestamp", "one_system_in_a_week", "full_scan")
    figures = queries_figures
    size_of = staticmethod(size_of)

    def layouts(self, fs_uri):
        """Stock's time partitioning, each group, MPSR."""
        found = data_layouts.layouts(fs_uri, self._size.root)
        return [layout for layout in found if layout.name == "hdfs-time" or layout.session == OURS]
