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
"""The mix of queries of the suite 'peers' after compaction."""

from dataclasses import replace

from benchmarks.harness import data_layouts
from benchmarks.harness.data_layouts import OURS, STOCK
from benchmarks.suites.merged import figures as merged_figures
from benchmarks.suites.peers.suite import Peers

COMMITS, QUICK_COMMITS = 20, 4


class Merged(Peers):
    """One run: as the suite 'peers', with a dataset that was loaded in many commits and then merged, and one that was loaded
    at once."""

    name = "merged"
    kinds = (STOCK, OURS)
    quick_queries = ("system_mode",)
    briefly = ()
    figures = merged_figures

    def layouts(self, fs_uri):
        """Stock's time partitioning, each group of the merged dataset, the merged dataset, and the one that was loaded at once."""
        commits = QUICK_COMMITS if self._quick else COMMITS
        root = self._size.root
        stock = [layout for layout in data_layouts.layouts(fs_uri, root) if layout.name == "hdfs-time"]
        merged = [layout for layout in data_layouts.layouts(fs_uri, f"{root}/merged") if layout.session == OURS]
        dataset = f"{root}/at-once"
        at_once = data_layouts.Layout(merged_figures.AT_ONCE, OURS, {"path": fs_uri + dataset}, dataset)
        return [*stock, *(replace(layout, merged=commits) for layout in merged), at_once]
