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
"""The command 'bench': runs suites and writes their report."""

from pathlib import Path

from benchmarks import short
from benchmarks.harness import page
from benchmarks.suites.adoption.suite import Adoption
from benchmarks.suites.compaction.suite import Compaction
from benchmarks.suites.elastic.suite import Elastic
from benchmarks.suites.ingest.suite import IngestSuite
from benchmarks.suites.io.suite import Io
from benchmarks.suites.merged.suite import Merged
from benchmarks.suites.namenode import suite as namenode
from benchmarks.suites.paper.suite import Paper
from benchmarks.suites.peers.suite import Peers
from benchmarks.suites.queries.suite import Queries
from benchmarks.suites.recovery.suite import Recovery
from benchmarks.suites.scale.suite import Scale
from benchmarks.suites.settings.suite import Settings
from benchmarks.suites.transforms.suite import Transforms
from benchmarks.suites.extractions.suite import Extractions
from benchmarks.suites.placement.suite import Placement
from benchmarks.suites.visualization.suite import Visualization
from mpsr_launcher.checkout.build import ensure_built
from mpsr_launcher.checkout.setup import at_once, ensure_venv
from mpsr_launcher.errors import MpsrError

SUITES = {
    "namenode": namenode.run,
    "paper": lambda checkout, console, arguments: Paper(checkout, console, arguments).run(),
    "elastic": lambda checkout, console, arguments: Elastic(checkout, console, arguments).run(),
    "peers": lambda checkout, console, arguments: Peers(checkout, console, arguments).run(),
    "queries": lambda checkout, console, arguments: Queries(checkout, console, arguments).run(),
    "scale": lambda checkout, console, arguments: Scale(checkout, console, arguments).run(),
    "adoption": lambda checkout, console, arguments: Adoption(checkout, console, arguments).run(),
    "compaction": lambda checkout, console, arguments: Compaction(checkout, console, arguments).run(),
    "merged": lambda checkout, console, arguments: Merged(checkout, console, arguments).run(),
    "recovery": lambda checkout, console, arguments: Recovery(checkout, console, arguments).run(),
    "transforms": lambda checkout, console, arguments: Transforms(checkout, console, arguments).run(),
    "settings": lambda checkout, console, arguments: Settings(checkout, console, arguments).run(),
    "extractions": lambda checkout, console, arguments: Extractions(checkout, console, arguments).run(),
    "placement": lambda checkout, console, arguments: Placement(checkout, console, arguments).run(),
    "io": lambda checkout, console, arguments: Io(checkout, console, arguments).run(),
    "visualization": lambda checkout, console, arguments: Visualization(checkout, console, arguments).run(),
    "ingest": lambda checkout, console, arguments: IngestSuite(checkout, console, arguments).run(),
}
SHARING = (Peers, Queries, Scale, Adoption, Compaction, Merged, IngestSuite)


def run(checkout, console, arguments):
    """Runs what is asked for; returns 0 when every answer was right, however long it took."""
    if arguments.resume and not arguments.json:
        raise MpsrError("--resume needs the results of an earlier run: name their directory with --json=DIR")
    if arguments.resume and arguments.quick:
        raise MpsrError("--resume: the short form (--quick) begins anew each time; leave one of the two out")
    if not 0.001 <= arguments.scale <= 1000 or arguments.rounds < 1:
        raise MpsrError(f"--scale {arguments.scale:g} --rounds {arguments.rounds}: a scale from 0.001 to 1000, a round or more")
    if arguments.minutes <= 0:
        raise MpsrError(f"--minutes {arguments.minutes:g}: give more than 0 minutes")
    names = [name for name in arguments.suites or SUITES if name != "report"]
    codes = _suites(checkout, console, arguments, names) if names else []
    if arguments.json:
        console.say(f"the report is {page.write(arguments.json)}")
    return max(codes, default=0)


def _suites(checkout, console, arguments, names):
    if arguments.json:
        Path(arguments.json).mkdir(parents=True, exist_ok=True)
    at_once(lambda: ensure_venv(checkout, console), lambda: ensure_built(checkout, console))
    shared = [suite for suite in SHARING if arguments.quick and suite.name in names]
    codes = [SUITES[name](checkout, console, arguments) for name in names if name not in {suite.name for suite in shared}]
    if shared:
        codes += short.run([suite(checkout, console, arguments) for suite in shared], checkout, console, arguments.keep)
    return codes
