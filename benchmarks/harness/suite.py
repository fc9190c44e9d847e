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
"""What all suites that the launcher runs have in common."""

from benchmarks.harness.results import Results


class Suite:
    """One run of a suite, with its results."""

    name = ""
    most_rounds = 50
    """What the queries of all rounds ask for is drawn at once, so that a run that goes on with more rounds asks the same
    in the first."""

    def __init__(self, checkout, console, arguments, versions=None, options=None, others=None):
        """``versions``, ``options`` and ``others`` are those of the results; others are kept where --only names parts."""
        self._checkout = checkout
        self._console = console
        self._seed = arguments.seed
        self._quick = arguments.quick
        self._keep = arguments.keep
        self._rounds = 1 if arguments.quick else min(self.most_rounds, arguments.rounds)
        scale = "quick" if arguments.quick else arguments.scale
        kept = others if arguments.only else None
        where = {"directory": arguments.json, "resume": arguments.resume}
        self.results = Results(self.name, self._seed, scale, checkout, **where, versions=versions, options=options, others=kept)

    def _show(self, table, right, counted=""):
        """Prints the table, the problems and the verdict; returns the exit code: 1 when there are problems."""
        problems = self.results.problems
        print(f"\n{table}\n", flush=True)
        for problem in problems:
            self._console.say(f"PROBLEM {problem}")
        self._console.say(f"{self.name}: {f'{len(problems)} problems' if problems else right}{counted}")
        return 1 if problems else 0
