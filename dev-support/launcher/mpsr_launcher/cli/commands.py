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
"""The command line of bin/mpsr."""

import os
import signal
import sys

from mpsr_launcher.checkout import sparks
from mpsr_launcher.checkout.build import ensure_built, ensure_spark_jar
from mpsr_launcher.checkout.checkout import Checkout, root_of
from mpsr_launcher.checkout.setup import at_once, ensure_venv
from mpsr_launcher.cli import cluster_commands, connect_commands, explore_command, passthrough, verify_command
from mpsr_launcher.cli.arguments import parser
from mpsr_launcher.cli.json_output import PRINTED, json_output
from mpsr_launcher.cli.testing import run_tests
from mpsr_launcher.console import Console
from mpsr_launcher.errors import Interrupted, MpsrError
from mpsr_launcher.printable import printable_lines
from mpsr_launcher.quickstart.quickstart import Quickstart
from mpsr_launcher.upstream_tests import hadoop_tests, spark_tests


def main(argv):
    """Runs one command and returns its exit code: 128 plus the signal's number when it was interrupted."""
    for number in _ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)
    checkout = Checkout(root_of(), os.environ.get("MPSR_RUN_DIR"))
    try:
        if argv and argv[0] in passthrough.COMMANDS:
            return passthrough.run(checkout, argv[0], argv[1:])
        arguments = parser(_version(checkout)).parse_args(argv)
        return COMMANDS[arguments.command](checkout, Console(), arguments)
    except MpsrError as error:
        print(f"mpsr: {printable_lines(str(error))}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read the output wants no more of it, nor the words of Python's end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"mpsr: {printable_lines(str(error))}", file=sys.stderr)
        return 1
    except Interrupted as interruption:
        print("mpsr: interrupted", file=sys.stderr)
        return 128 + interruption.args[0]


_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _interrupt(number, frame):
    """Interrupts once: what is then stopped takes its time, and a second Ctrl-C must not leave it half done."""
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise Interrupted(number)


def _version(checkout):
    return ", ".join(f"{name} {version}" for name, version in checkout.versions().items())


def _quickstart(checkout, console, arguments):
    if arguments.spark:
        checkout = _with_spark(checkout, arguments)
    with json_output(arguments), console.beating():
        at_once(lambda: ensure_venv(checkout, console), lambda: ensure_built(checkout, console))
        ensure_spark_jar(checkout, console)
        name = os.environ.get("MPSR_CLUSTER")
        quickstart = Quickstart(checkout, console, arguments.data, (arguments.datanodes, arguments.racks), name)
        return quickstart.run(arguments.json, arguments.keep)


def _with_spark(checkout, arguments):
    if not checkout.has_sources:
        raise MpsrError(f"--spark: {checkout.root} is an unpacked distribution: the jars of other Sparks are built in a checkout")
    if arguments.keep:
        raise MpsrError("--spark and --keep: the commands for a cluster that is up run the Spark of the distribution; leave one out")
    return Checkout(checkout.root, checkout.run, sparks.OTHERS[arguments.spark])


def _require_checkout(checkout):
    if not checkout.has_sources:
        raise MpsrError(f"{checkout.root} is an unpacked distribution: the tests come with a checkout of the source")


def _hadoop_tests(checkout, console, arguments):
    _require_checkout(checkout)
    with json_output(arguments):
        return hadoop_tests.run(checkout, console, arguments)


def _spark_tests(checkout, console, arguments):
    _require_checkout(checkout)
    with json_output(arguments):
        return spark_tests.run(checkout, console, arguments)


def _bench(checkout, console, arguments):
    if not checkout.has_sources:
        raise MpsrError(f"{checkout.root} is an unpacked distribution: the benchmarks come with a checkout of the source")
    if "report" in arguments.suites and arguments.json in (None, PRINTED):
        raise MpsrError("report writes the page of an earlier run: name the directory with --json=DIR")
    from benchmarks import command  # A distribution has none.

    with json_output(arguments, several=True):
        return command.run(checkout, console, arguments)


def _test(checkout, console, arguments):
    _require_checkout(checkout)
    return run_tests(checkout, console, arguments.only, arguments.results, arguments.long)


COMMANDS = {
    "quickstart": _quickstart,
    "test": _test,
    "hadoop-tests": _hadoop_tests,
    "spark-tests": _spark_tests,
    "bench": _bench,
    "cluster": cluster_commands.run,
    "connect": connect_commands.run,
    "verify": verify_command.run,
    "explore": explore_command.run,
}
