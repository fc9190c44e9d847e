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
"""The arguments of the commands that run suites of tests or benchmarks."""

import argparse

from mpsr_launcher.cli import json_output
from mpsr_launcher.upstream_tests import spark_tests

SUITES = ("namenode", "paper", "elastic", "peers", "queries", "scale", "adoption", "compaction", "merged", "recovery", "transforms", "settings", "extractions", "placement", "io", "visualization", "ingest", "report")


def add(commands):
    """Adds the commands."""
    _test(commands)
    _hadoop_tests(commands)
    _spark_tests(commands)
    _bench(commands)


def _test(commands):
    parts = ("maven", "launcher", "python", "integration", "hadoop", "spark")
    command = commands.add_parser(
        "test",
        help="run all tests: Maven's, the launcher's and benchmarks', the Python package's, the integration tests, Hadoop's, Spark's",
    )
    command.add_argument(
        "--only",
        action="append",
        choices=(*parts, "apart"),
        metavar=f"{{{','.join(parts)}}}",
        help="run one of the six parts; several times: one after the other",
    )
    command.add_argument("--long", action="store_true", help="run the long tests, too, which continuous integration leaves out")
    command.add_argument("--results", metavar="FILE", help="also write what has passed and failed to a file, as JSON")


def _hadoop_tests(commands):
    command = commands.add_parser(
        "hadoop-tests",
        help="run Hadoop's own tests on stock HDFS and with MPSR, and compare",
        description="Runs test classes of Hadoop's own test jars (hadoop-hdfs, hadoop-common), first on stock HDFS, then with MPSR.\n"
        "Only the configuration differs. Prints the tests whose results differ. A test that fails is run a second time; if it\n"
        "then passes, it counts as flaky. The exit code is 1 when a test passes on stock and fails with MPSR.",
        epilog="Examples:\n  bin/mpsr hadoop-tests TestFsck\n  bin/mpsr hadoop-tests 'TestReplicationPolicy*' --json=r.json\n"
        "  bin/mpsr hadoop-tests TestFileAppend3#testTC1 --dataset\n  bin/mpsr hadoop-tests --list full --json=r.json --resume\n"
        "  bin/mpsr hadoop-tests TestFsck --hadoop 3.5.0 --fine-grained-lock",
    )
    command.add_argument(
        "classes",
        nargs="*",
        metavar="CLASS",
        help="a class, with or without its package; * and ? match as in a shell; CLASS#TEST,TEST names some of its tests",
    )
    command.add_argument("--on", choices=("stock", "ours", "both"), default="both", help="where to run (both)")
    command.add_argument("--hadoop", metavar="VERSION", help="the tests and the jars of this Hadoop (the distribution's)")
    command.add_argument("--fine-grained-lock", action="store_true", help="with the fine-grained lock, which NameNodes of 3.5 can have")
    command.add_argument("--dataset", action="store_true", help="with MPSR, turn the directories that tests write to into datasets")
    command.add_argument(
        "--list",
        action="append",
        choices=("short", "short-dataset", "full"),
        help="run the classes of a list in dev-support/hadoop-tests/lists",
    )
    json_output.add(command, help="print the results as one JSON object, or add them to those in FILE")
    command.add_argument("--resume", action="store_true", help="skip the classes whose results --json=FILE has")
    command.add_argument("--against", metavar="FILE", help="take stock's results from this file, instead of running stock")
    command.add_argument("--show", action="store_true", help="run nothing; print the table of --json=FILE")
    command.add_argument("--timeout", type=int, default=1800, metavar="S", help="seconds for each class (%(default)s)")


def _spark_tests(commands):
    command = commands.add_parser(
        "spark-tests",
        help="run Spark's own SQL tests on stock Spark and with MPSR, and compare",
        description="Runs suites of Spark's own test jar (spark-sql), first on stock Spark, then with MPSR. Only the configuration\n"
        "differs. With MPSR, each Parquet directory that a test reads counts as a dataset. The exit code is 1 when a test passes\n"
        "on stock and fails with MPSR.",
        epilog="Examples:\n  bin/mpsr spark-tests\n  bin/mpsr spark-tests ParquetV1QuerySuite --json=r.json\n  bin/mpsr spark-tests --spark 3.5",
    )
    command.add_argument(
        "suites", nargs="*", metavar="SUITE", help="a suite, with or without its package (all in dev-support/spark-tests/suites.txt)"
    )
    command.add_argument("--spark", choices=spark_tests.OTHER_SPARKS, help="the tests and the connector of this Spark (the distribution's)")
    command.add_argument("--on", choices=("stock", "ours", "both"), default="both", help="where to run (both)")
    json_output.add(command, help="print the results as one JSON object, or add them to those in FILE")
    command.add_argument("--timeout", type=int, default=3600, metavar="S", help="seconds for each suite (%(default)s)")


def _bench(commands):
    command = commands.add_parser(
        "bench",
        help="measure what MPSR costs and gains",
        description="Runs the named suites, or all of them. A wrong answer fails the run; a slow one does not.",
        epilog="namenode  operations, placement, lock and heap of a NameNode\n"
        "paper     the experiments of the paper of 2017, on machines with limited disks and network (needs root); scale 1 is\n"
        "          10 million records of 2,000 signals in 100 days\n"
        "elastic   a queue of jobs that ask for few signals and days most of the time, without further copies and with them (needs\n"
        "          root); scale 1 is 10 million records of 2,000 signals in 100 days\n"
        "peers     a mix of queries on HDFS, Iceberg and MPSR with the same records; scale 1 is 20 million records of 10,000\n"
        "          signals in 400 days\n"
        "queries   the quickstart's queries on HDFS partitioned by time, on each group of MPSR, and on MPSR; scale 1 is 100\n"
        "          million records of 5,000 signals in 100 days\n"
        "scale     how cost grows with files (--files), rows and signals, and what a trivial query costs; scale 1 is 1, 10 and\n"
        "          100 million records, and 5 million records of 100 to a million signals\n"
        "adoption  an archive of small and large files becomes a dataset, alone and while queries run; scale 1 is 100,000 small\n"
        "          and 1,000 large files with 15 million records in 10 days\n"
        "compaction  records in 20 commits, merged by MPSR and by Iceberg; scale 1 is 20 million records, scale 10 as many in\n"
        "          each commit as the sink's largest\n"
        "merged    the mix of queries of 'peers' on a dataset that was loaded in 20 commits and merged, on one that was loaded\n"
        "          at once, and on HDFS; scales as 'peers'\n"
        "recovery  a DataNode dies: HDFS replicates three equal copies again, MPSR rebuilds the lost files, on machines with\n"
        "          limited disks and network (needs root); scale 1 is 20 million records of 2,000 signals in 100 days\n"
        "transforms  what measured values take in files, in bytes and in CPU time of writing; needs no cluster; scale 1 is 4\n"
        "          million generated values\n"
        "settings  some 400 configurations of the sink and of readers on small data, each run as a line in DIR/settings.jsonl, for\n"
        "          'bin/mpsr tune'; needs no cluster; scale 1 is 40,000 records\n"
        "extractions  one signal over a day, read by the Python client and by Spark, as often as CALS does; charts of one signal;\n"
        "          scale 1 is 100 million records of 5,000 signals in 100 days, and as many of one signal\n"
        "placement  reductions read by executors beside DataNodes, and by a reader behind 4, 20 and 120 MB/s (needs root); scale 1\n"
        "          is 8 million records\n"
        "io        whether times of reads get the class that they have, and when a throttled disk is named (needs root)\n"
        "visualization  ranks draw one picture of blocks that they read through mounts, by place and in rows, on machines with\n"
        "          limited disks and network (needs root and /dev/fuse); scale 1 is 48 blocks of 4 MB\n"
        "ingest    MPSR's sink, Iceberg's and a plain one on the same topic; latency; a steady run; scale 1 is 10 million records\n"
        "report    runs nothing; writes DIR/report.html again\n\n"
        "Examples:\n  bin/mpsr bench peers --scale 0.1 --json=results\n  bin/mpsr bench --quick",
    )
    command.add_argument("suites", nargs="*", type=_suite, metavar="SUITE", help=f"run only these: {', '.join(SUITES)}")
    command.add_argument("--scale", type=float, metavar="S", default=1.0, help="amount of data (%(default)s)")
    command.add_argument("--quick", action="store_true", help="run a short form, which shows that a suite works, not what it costs")
    json_output.add(command, "DIR", "print all measurements as one JSON object, or write DIR/SUITE.json and DIR/report.html")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="seed of data, queries and their order (%(default)s)")
    command.add_argument("--rounds", type=int, default=7, metavar="N", help="measurements of each query or operation (%(default)s)")
    command.add_argument("--jobs", type=int, default=1000, metavar="N", help="paper, elastic: jobs that queue (%(default)s)")
    command.add_argument("--resume", action="store_true", help="skip what DIR has already; without --resume a suite starts anew")
    command.add_argument("--keep", action="store_true", help="keep the cluster's data for --resume, as an interruption does")
    parts = (
        "namenode: throughput, datanodes, placement, scatter, durability, publish, heap, year, planning, reads;"
        " ingest: throughput, latency, steady; scale: planning, trivial, rows, signals;"
        " recovery: stock, mpsr, mpsr-1; extractions: extractions, chart"
    )
    command.add_argument(
        "--only",
        metavar="PART,...",
        help=f"run these parts of a suite, and keep earlier results of the others, with their dates. {parts}",
    )
    command.add_argument("--minutes", type=float, metavar="M", default=10.0, help="ingest: minutes of the steady run (10)")
    command.add_argument("--files", type=int, metavar="N", help="namenode, scale: the largest number of files (1000000)")
    command.add_argument("--directory", metavar="DIR", help="namenode: where its edit logs lie (/tmp)")


def _suite(name):
    if name not in SUITES:
        raise argparse.ArgumentTypeError(f"there is no suite '{name}'; there are {', '.join(SUITES)}")
    return name
