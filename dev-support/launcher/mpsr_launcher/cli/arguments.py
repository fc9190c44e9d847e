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

from mpsr_launcher.checkout import sparks
from mpsr_launcher.cli import json_output, suite_arguments
from mpsr_launcher.cli.passthrough import COMMANDS


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
        epilog="Each command has --help. The commands from 'dfs' on pass all arguments to a program of Hadoop, Kafka, Spark or\n"
        "MPSR, together with the configuration of the running cluster.\n"
        "MPSR_CLUSTER=NAME chooses one of several clusters. MPSR_RUN_DIR=DIRECTORY holds the clusters, instead of .mpsr/run.\n"
        "MPSR_HADOOP_JAVA=HOME is the Java of Hadoop's processes, of the commands and of Spark 3.5, 11 or newer, instead of JAVA_HOME.\n"
        "--json alone prints one JSON object on standard output; --json=PATH writes a file, or several into a directory.",
    )
    main.add_argument("--version", action="version", version=version, help="show the versions of MPSR and its parts")
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _quickstart(commands)
    suite_arguments.add(commands)
    _cluster(commands)
    _connect(commands)
    _verify(commands)
    _explore(commands)
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.summary)
    return main


def _quickstart(commands):
    command = commands.add_parser(
        "quickstart",
        help="show all of it once: a cluster, ingest, checks, queries",
        description="Starts a cluster on this machine, fills a dataset from Kafka, checks it, and runs queries with stock Spark and\n"
        "with MPSR. The cluster is called 'quickstart', or as MPSR_CLUSTER says.",
    )
    json_output.add(command)
    command.add_argument(
        "--data",
        metavar="FILE.parquet",
        help="use this file; its columns are signal, device, system (strings), timestamp_ns (int64), value (double)",
    )
    command.add_argument("--keep", action="store_true", help="leave the cluster up, to try more")
    command.add_argument(
        "--spark", choices=sorted(sparks.OTHERS), metavar="VERSION", help=f"run another Spark: {', '.join(sorted(sparks.OTHERS))}"
    )
    _size(command, 9, 3)


def _cluster(commands):
    cluster = commands.add_parser("cluster", help="start, stop and show clusters of processes on this machine")
    actions = cluster.add_subparsers(dest="action", required=True, metavar="ACTION")
    start = actions.add_parser(
        "start",
        help="start NameNode, DataNodes, Kafka broker and Connect worker",
        description="Starts a cluster, or starts it again with its data. Fails, with the reasons, when the configuration of MPSR is\n"
        "wrong. A cluster keeps the properties of --groups and -D until it is started with others.",
        epilog="Examples:\n  bin/mpsr cluster start --datanodes 4 --racks 2\n  bin/mpsr cluster start --groups my-groups.xml\n"
        "  bin/mpsr cluster start -D dfs.mpsr.replica.group.time.codec=snappy",
    )
    _size(start, None, None)
    start.add_argument(
        "--ha",
        action="store_const",
        const=True,
        help="start two NameNodes with automatic failover, three JournalNodes, ZooKeeper and two failover controllers",
    )
    start.add_argument(
        "--maintain", action="store_true", help="also start 'hdfs mpsr maintain', which merges small files every minute"
    )
    start.add_argument("--catalog", action="store_true", help="also start 'hdfs mpsr catalog', through which clients of Iceberg read")
    start.add_argument(
        "--groups", metavar="FILE", help="take the replica groups from this file, which has the format of hdfs-site.xml"
    )
    start.add_argument(
        "-D",
        dest="properties",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="set a property of hdfs-site.xml; may be repeated",
    )
    stop = actions.add_parser("stop", help="stop every cluster of this checkout, or the one of MPSR_CLUSTER")
    stop.add_argument("--wipe", action="store_true", help="delete the data, too")
    status = actions.add_parser("status", help="show the processes, their addresses, and HDFS's state")
    json_output.add(status)
    logs = actions.add_parser("logs", help="show the end of the processes' logs")
    logs.add_argument("process", nargs="*", help="namenode, dn1, kafka, connect, ... (all)")
    logs.add_argument("--lines", type=int, default=20, help="lines of each log (%(default)s)")


def _size(command, datanodes, racks):
    kept = "" if datanodes else "; an existing cluster keeps its number"
    command.add_argument("--datanodes", type=int, metavar="N", default=datanodes, help=f"number of DataNodes (9{kept})")
    command.add_argument("--racks", type=int, metavar="R", default=racks, help=f"number of racks (3{kept})")


def _connect(commands):
    connect = commands.add_parser("connect", help="create, show and control the connectors of the Connect worker")
    actions = connect.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="show the names of the connectors")
    create = actions.add_parser("create", help="create a connector, or change its configuration")
    create.add_argument("name", help="the connector's name")
    create.add_argument("config", help="file with a JSON object of its configuration, or - for standard input")
    for name, text in (
        ("status", "show the state of a connector and of its tasks"),
        ("pause", "pause a connector; its tasks stay"),
        ("resume", "let a connector that was paused or stopped go on"),
        ("restart", "restart a connector and its tasks"),
        ("stop", "end the tasks of a connector; its configuration stays"),
        ("offsets", "show the offsets that a connector has reported"),
        ("reset-offsets", "forget the offsets of a stopped connector, for a dataset that was dropped and created again"),
        ("delete", "delete a connector"),
    ):
        actions.add_parser(name, help=text).add_argument("name", help="the connector's name")


def _verify(commands):
    verify = commands.add_parser(
        "verify",
        help="compare the records of a dataset's replica groups",
        description="Reads the files of every replica group with Spark, and compares counts and content hashes.",
    )
    verify.add_argument("path", nargs="?", help="the dataset, such as /cals/meas")
    json_output.add(verify)


def _explore(commands):
    explore = commands.add_parser(
        "explore",
        help="show pictures of a dataset's signals in a browser",
        description="Opens the page of pictures of the running cluster's NameNode, and hands requests of the browser on to the NameNode and the\n"
        "DataNodes, whose names only the cluster knows, until it is interrupted.",
    )
    explore.add_argument("path", nargs="?", help="the dataset, such as /cals/meas")
    explore.add_argument("--port", type=int, default=0, metavar="PORT", help="the port of 127.0.0.1 (a free one)")
    explore.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
