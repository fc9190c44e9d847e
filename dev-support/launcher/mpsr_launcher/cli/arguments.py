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
"""The arguments of the launcher's own commands."""

import argparse
import sys

from mpsr_launcher.cli.passthrough import COMMANDS


SUITES = ("namenode", "paper", "peers", "queries", "scale", "ingest", "report")


class _Parser(argparse.ArgumentParser):
    """Shows the whole help, not one line, when the command is left out."""

    def __init__(self, **settings):
        super().__init__(formatter_class=_formatter, **settings)

    def error(self, message):
        if message.endswith(("required: COMMAND", "required: ACTION")):
            self.print_help(sys.stderr)
            self.exit(2)
        super().error(message)


def _formatter(prog):
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=20)


def parser(version):
    """The parser of bin/mpsr. Of the commands that pass everything on it knows the names only.

    ``version`` is what --version shows.
    """
    main = _Parser(
        prog="bin/mpsr",
        description="HDFS replicas that are each partitioned differently.",
        epilog="Each command has --help. From 'dfs' on, all arguments go to a program of Hadoop, Spark or MPSR with the\n"
        "running cluster's configuration. MPSR_CLUSTER=<name> chooses among several clusters; MPSR_RUN_DIR=<directory>\n"
        "keeps them elsewhere than in .mpsr/run.",
    )
    main.add_argument("--version", action="version", version=version, help="show the versions of MPSR and its parts")
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _quickstart(commands)
    _test(commands)
    _hadoop_tests(commands)
    _spark_tests(commands)
    _bench(commands)
    _cluster(commands)
    _connect(commands)
    verify = commands.add_parser("verify", help="compare a dataset's representations record by record")
    verify.add_argument("path", help="the dataset, such as /cals/meas")
    verify.add_argument("--json", metavar="FILE", help="also write the result to a file")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.summary)
    return main


def _quickstart(commands):
    command = commands.add_parser("quickstart", help="the whole path once: cluster, ingest, checks, queries, table")
    command.add_argument("--json", metavar="FILE", help="also write the results to a file")
    command.add_argument(
        "--data",
        metavar="FILE.parquet",
        help="other data with the columns signal, device, system (strings), timestamp_ns (int64), value (double)",
    )
    command.add_argument("--keep", action="store_true", help="leave the cluster up at the end")
    _size(command, 9, 3)


def _test(commands):
    command = commands.add_parser("test", help="all tests: './mvnw verify', the launcher's, the integration tests, Hadoop's, Spark's")
    command.add_argument("--only", choices=("maven", "launcher", "integration", "hadoop", "spark"), help="only one of the five")


def _hadoop_tests(commands):
    command = commands.add_parser(
        "hadoop-tests",
        help="Hadoop's own tests on stock HDFS and with MPSR, compared",
        description="Runs classes of Hadoop's own test jars (hadoop-hdfs, hadoop-common) by configuration alone, first on\n"
        "stock HDFS, then with MPSR, and prints which tests differ. What fails is tried once more; what then passes is\n"
        "flaky. Ends with 1 when a test passes on stock and not with MPSR.",
        epilog="Examples:\n  bin/mpsr hadoop-tests TestFsck\n  bin/mpsr hadoop-tests 'TestReplicationPolicy*' --json r.json\n"
        "  bin/mpsr hadoop-tests TestFileAppend3#testTC1 --dataset\n  bin/mpsr hadoop-tests --list full --json r.json --resume",
    )
    command.add_argument(
        "classes",
        nargs="*",
        metavar="CLASS",
        help="a class, with or without its package; * and ? match as in a shell; CLASS#TEST,TEST for some of its tests",
    )
    command.add_argument("--on", choices=("stock", "ours", "both"), default="both", help="where to run (both)")
    command.add_argument(
        "--dataset", action="store_true", help="with MPSR, make the directories that tests write to datasets"
    )
    command.add_argument(
        "--list",
        action="append",
        choices=("short", "short-dataset", "full"),
        help="the classes of a list in dev-support/hadoop-tests/lists",
    )
    command.add_argument("--json", metavar="FILE", help="keep the results in a file; those of other classes in it stay")
    command.add_argument("--resume", action="store_true", help="leave out what the file of --json holds already")
    command.add_argument("--against", metavar="FILE", help="stock's results of an earlier --json, instead of running it")
    command.add_argument("--show", action="store_true", help="print the table of --json's file and run nothing")
    command.add_argument("--timeout", type=int, default=1800, metavar="S", help="seconds for one class (%(default)s)")


def _spark_tests(commands):
    command = commands.add_parser(
        "spark-tests",
        help="Spark's own SQL tests on stock Spark and with MPSR, compared",
        description="Runs suites of Spark's own test jar (spark-sql) by configuration alone, first on stock Spark, then with\n"
        "MPSR, where each Parquet directory that a test reads counts as a dataset. Ends with 1 when a test passes on stock\n"
        "and not with MPSR.",
        epilog="Examples:\n  bin/mpsr spark-tests\n  bin/mpsr spark-tests ParquetV1QuerySuite --json r.json",
    )
    command.add_argument(
        "suites", nargs="*", metavar="SUITE", help="a suite, with or without its package (dev-support/spark-tests/suites.txt)"
    )
    command.add_argument("--on", choices=("stock", "ours", "both"), default="both", help="where to run (both)")
    command.add_argument("--json", metavar="FILE", help="keep the results in a file; those of other suites in it stay")
    command.add_argument("--timeout", type=int, default=3600, metavar="S", help="seconds for one suite (%(default)s)")


def _bench(commands):
    command = commands.add_parser(
        "bench",
        help="measure what MPSR costs and gains",
        description="Runs suites, or all of them. Fails on a wrong answer, never on a slow one.",
        epilog="namenode: operations, placement, lock and heap of a NameNode\n"
        "paper: the experiments of the paper of 2017 on machines with limited disks and network (root needed); scale 1\n"
        "  is 10 million records of 2,000 signals in 100 days\n"
        "peers: a query mix on HDFS, Iceberg and MPSR with the same records; scale 1 is 20 million records, 10,000\n"
        "  signals, 400 days\n"
        "queries: the quickstart's queries on HDFS partitioned by time, on each group of MPSR alone and on MPSR; scale 1 is\n"
        "  100 million records, 5,000 signals, 100 days\n"
        "scale: how cost grows with files (--files: the most), rows and signals, and what a trivial query costs; scale 1\n"
        "  is 1, 10 and 100 million records, and 5 million of 100 to a million signals\n"
        "ingest: MPSR's sink, Iceberg's and a plain one on the same topic; scale 1 is 10 million records; latency; a\n"
        "  steady run\n"
        "report: no suite; writes DIR/report.html again\n\n"
        "Examples:\n  bin/mpsr bench peers --scale 0.1 --json results\n  bin/mpsr bench --quick",
    )
    command.add_argument("suites", nargs="*", type=_suite, metavar="SUITE", help=f"only these: {', '.join(SUITES)}")
    command.add_argument("--scale", type=float, metavar="S", default=1.0, help="how much data (%(default)s)")
    command.add_argument("--quick", action="store_true", help="a short form: shows that it works, not what it costs")
    command.add_argument("--json", metavar="DIR", help="write all measurements to DIR/<suite>.json, and DIR/report.html")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="of data, queries and their order (%(default)s)")
    command.add_argument("--rounds", type=int, default=7, metavar="N", help="how often each is measured (%(default)s)")
    command.add_argument("--jobs", type=int, default=1000, metavar="N", help="that queue in paper (%(default)s)")
    command.add_argument("--resume", action="store_true", help="leave out what DIR holds already; without it a suite begins anew")
    command.add_argument("--keep", action="store_true", help="leave the cluster's data for --resume, as an interruption does")
    parts = "throughput, datanodes, placement, publish, heap, planning; of ingest: throughput, latency, steady; of scale: planning, trivial, rows, signals"
    command.add_argument("--only", metavar="PART,...", help=f"parts of namenode: {parts}")
    command.add_argument("--minutes", type=float, metavar="M", default=10.0, help="of ingest's steady run (10)")
    command.add_argument("--files", type=int, metavar="N", help="files whose heap namenode and scale measure, and that are planned (1000000)")
    command.add_argument("--directory", metavar="DIR", help="where namenode has its edit logs (/tmp)")


def _suite(name):
    if name not in SUITES:
        raise argparse.ArgumentTypeError(f"there is no suite '{name}'; there are {', '.join(SUITES)}")
    return name


def _cluster(commands):
    cluster = commands.add_parser("cluster", help="a cluster of processes on this machine")
    actions = cluster.add_subparsers(dest="action", required=True, metavar="ACTION")
    start = actions.add_parser("start", help="start NameNode, DataNodes, Kafka broker and Connect worker")
    _size(start, None, None)
    start.add_argument(
        "--ha",
        action="store_const",
        const=True,
        help="two NameNodes with automatic failover: three JournalNodes, ZooKeeper, two failover controllers",
    )
    stop = actions.add_parser("stop", help="stop every cluster of this checkout, and what a crash has left")
    stop.add_argument("--wipe", action="store_true", help="delete the data, too")
    status = actions.add_parser("status", help="show the processes, their addresses, and HDFS's state")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    logs = actions.add_parser("logs", help="show the end of the processes' logs")
    logs.add_argument("process", nargs="*", help="namenode, dn1, kafka, connect, ... (default: all)")
    logs.add_argument("--lines", type=int, default=20, help="lines of each (%(default)s)")


def _size(command, datanodes, racks):
    kept = "" if datanodes else "; an existing cluster keeps its number"
    command.add_argument("--datanodes", type=int, metavar="N", default=datanodes, help=f"DataNodes (9{kept})")
    command.add_argument("--racks", type=int, metavar="R", default=racks, help=f"racks (3{kept})")


def _connect(commands):
    connect = commands.add_parser("connect", help="the connectors of the Connect worker")
    actions = connect.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="the names of the connectors")
    for name, text in (
        ("status", "state of a connector and its tasks"),
        ("delete", "delete a connector"),
        ("pause", "let a connector rest"),
        ("resume", "let a connector go on"),
        ("restart", "restart a connector and its tasks"),
    ):
        actions.add_parser(name, help=text).add_argument("name", help="the connector's name")
    create = actions.add_parser("create", help="create or change a connector")
    create.add_argument("name", help="the connector's name")
    create.add_argument("config", help="file with a JSON object of its configuration, or - for standard input")
