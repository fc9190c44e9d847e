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
"""bin/mpsr test: everything that must be green, and one line that counts it."""

import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from mpsr_launcher.build import ensure_built
from mpsr_launcher.errors import MpsrError


def run_tests(layout, console, only):
    """Runs Maven's tests, the launcher's and the integration tests; returns 0 when all have passed."""
    passed = failed = 0
    for name, run in (("maven", _maven), ("launcher", _launcher), ("integration", _integration)):
        if only in (None, name):
            console.say(f"tests: {name}")
            counts = run(layout, console)
            console.say(f"tests: {name}: {counts[0]} passed, {counts[1]} failed")
            passed, failed = passed + counts[0], failed + counts[1]
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not passed else 0


def _maven(layout, console):
    for report in _reports(layout):
        report.unlink()
    command = [str(layout.root / "mvnw"), "--batch-mode", "--no-transfer-progress", "verify"]
    done = subprocess.run(command, cwd=layout.root, stdin=subprocess.DEVNULL, check=False)
    passed = failed = 0
    for report in _reports(layout):
        suite = ElementTree.parse(report).getroot()
        tests, skipped = int(suite.get("tests")), int(suite.get("skipped"))
        wrong = int(suite.get("failures")) + int(suite.get("errors"))
        passed, failed = passed + tests - skipped - wrong, failed + wrong
    if done.returncode != 0:
        console.say(f"./mvnw verify ended with {done.returncode}")
        failed = max(failed, 1)
    return passed, failed


def _reports(layout):
    return sorted(layout.root.glob("*/target/surefire-reports/TEST-*.xml"))


def _launcher(layout, console):
    return _python(layout.root / "dev-support" / "launcher" / "tests")


def _integration(layout, console):
    try:
        ensure_built(layout, console)
    except MpsrError as error:
        console.say(str(error))
        return 0, 1
    return _python(layout.root / "dev-support" / "it")


def _python(directory):
    sys.path.insert(0, str(directory))
    suite = unittest.defaultTestLoader.discover(str(directory), pattern="*_test.py", top_level_dir=str(directory))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    wrong = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    return result.testsRun - wrong - len(result.skipped), wrong
