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
"""Commands of Hadoop, Spark and MPSR that get all arguments as they are, and the running cluster's configuration."""

import os
from dataclasses import dataclass

from mpsr_launcher.checkout import java
from mpsr_launcher.cluster import mpsr_cli
from mpsr_launcher.cluster.cluster import running_cluster
from mpsr_launcher.cluster.spark import Spark
from mpsr_launcher.errors import MpsrError


@dataclass(frozen=True)
class Command:
    """What a command runs: a class of Hadoop, a program of Spark, a command of ours, a class of the benchmarks or a tool of Kafka."""

    summary: str
    main: str = ""
    program: str = ""
    benchmark: str = ""
    kafka: str = ""


COMMANDS = {
    "dfs": Command("list, read and write files (-ls, -cat, -put, ...)", main="org.apache.hadoop.fs.FsShell"),
    "dfsadmin": Command("report on HDFS and administer it", main="org.apache.hadoop.hdfs.tools.DFSAdmin"),
    "fsck": Command("check the health and the places of files and blocks", main="org.apache.hadoop.hdfs.tools.DFSck"),
    "balancer": Command("even out the DataNodes", main="org.apache.hadoop.hdfs.server.balancer.Balancer"),
    "dataset": Command("create, list, show, check and drop datasets, and delete records", main=mpsr_cli.MAIN),
    "groups": Command("show the replica groups, and rebalance them", main=mpsr_cli.MAIN),
    "status": Command("show whether MPSR is ready and what is wrong", main=mpsr_cli.MAIN),
    "workload": Command("show what was asked of datasets, and what MPSR saved", main=mpsr_cli.MAIN),
    "advise": Command("propose replica groups that fit what is asked", main=mpsr_cli.MAIN),
    "query": Command("reduce many records to few numbers: statistics, charts, heat maps, similar windows", main=mpsr_cli.MAIN),
    "survey": Command("say what directory trees hold, by a sample of their files", main=mpsr_cli.MAIN),
    "io": Command("say what times of reads tell: classes, causes, and what is slower than the others", main=mpsr_cli.MAIN),
    "tune": Command("prescribe settings of sinks and readers by rules, from measured runs", main=mpsr_cli.MAIN),
    "assign": Command("give the files of directories to ranks of a parallel program, by where their blocks lie", main=mpsr_cli.MAIN),
    "calibrate": Command("measure what reads cost here, for the choice of the cheapest group", main=mpsr_cli.MAIN),
    "maintain": Command("maintain the datasets: rebuild lost files and merge small ones again and again, or --once", main=mpsr_cli.MAIN),
    "catalog": Command("serve datasets as tables to clients of Iceberg, until it is ended", main=mpsr_cli.MAIN),
    "mount": Command("mount a directory of HDFS, so that any program reads it and sees where it lies", main=mpsr_cli.MAIN),
    "unmount": Command("unmount what mount has mounted", main=mpsr_cli.MAIN),
    "compact": Command("merge small segments of datasets into large ones", main=mpsr_cli.MAIN),
    "rebuild": Command("write lost and changed files of datasets anew from another group", main=mpsr_cli.MAIN),
    "repair": Command("say what somebody changed in datasets by hand, record for record, and undo it", main=mpsr_cli.MAIN),
    "generate": Command(
        "generate readings of an accelerator's archive, to Kafka or to a Parquet file",
        benchmark="org.hadoopmpsr.benchmarks.generator.Generate",
    ),
    "kafka-topics": Command("create, list, describe and delete topics", kafka="org.apache.kafka.tools.TopicCommand"),
    "kafka-console-producer": Command(
        "send the lines of standard input to a topic", kafka="org.apache.kafka.tools.ConsoleProducer"
    ),
    "kafka-console-consumer": Command(
        "print the messages of a topic", kafka="org.apache.kafka.tools.consumer.ConsoleConsumer"
    ),
    "spark-submit": Command("run a Spark job with MPSR; with --stock as first argument, without", program="spark-submit"),
    "spark-sql": Command("run SQL with MPSR; with --stock as first argument, without", program="spark-sql"),
    "pyspark": Command("run Python with MPSR; with --stock as first argument, without", program="pyspark"),
}


def run(checkout, name, arguments):
    """Becomes the command; returns only after having shown help."""
    command = COMMANDS[name]
    helps_itself = (command.main == mpsr_cli.MAIN or command.benchmark) and checkout.share.is_dir()
    if arguments in (["--help"], ["-h"]) and not helps_itself:
        print(_help(name, command))
        return 0
    if command.program:
        return _spark(checkout, command, arguments)
    if command.benchmark:
        _require_built(checkout)
        argv = java.benchmark(checkout.share, checkout.conf / "local", command.benchmark, _with_broker(checkout, arguments))
        os.execvp(argv[0], argv)
    if command.kafka:
        cluster = _cluster(checkout)
        argv = java.kafka(checkout.share, cluster.conf, command.kafka, _at_broker(cluster, arguments), level="WARN")
        os.execvp(argv[0], argv)
    if command.main == mpsr_cli.MAIN:
        arguments = [name, *arguments]
    # What shows its usage only needs no cluster.
    usage = {"--help", "-h"} & set(arguments) or arguments == ["dataset"]
    conf = checkout.conf if usage else _cluster(checkout).conf
    argv = java.hadoop_tool(checkout.share, conf, command.main, arguments)
    if starts_spark(name, arguments[1:]) and not usage:
        os.execvpe(argv[0], argv, Spark(_cluster(checkout)).environment(False))
    os.environ["MPSR_HOME"] = str(checkout.dist)
    os.execvp(argv[0], argv)


def starts_spark(name, arguments):
    """Whether the command starts a Spark job."""
    of_dataset = name == "dataset" and bool({"adopt", "delete", "expire", "rollback"} & set(arguments[:1]))
    of_advice = name == "advise" and any(argument.partition("=")[0] in ("--from", "--verify") for argument in arguments)
    return of_dataset or of_advice or name in ("compact", "maintain", "query", "rebuild", "repair", "survey", "tune")


def _spark(checkout, command, arguments):
    cluster = _cluster(checkout)
    stock = arguments[:1] == ["--stock"]
    spark = Spark(cluster)
    program, arguments = spark.program(command.program), arguments[1:] if stock else arguments
    if command.program != "spark-submit":
        arguments = [*spark.metastore(), *arguments]
    os.execve(program, [program, *arguments], spark.environment(stock))


def _with_broker(checkout, arguments):
    """A topic without a broker is one of the running cluster's."""
    options = {argument.partition("=")[0] for argument in arguments}
    if "--topic" in options and "--bootstrap" not in options:
        return ["--bootstrap", _cluster(checkout).state.bootstrap, *arguments]
    return arguments


def _at_broker(cluster, arguments):
    named = any(argument.partition("=")[0] == "--bootstrap-server" for argument in arguments)
    return arguments if named else ["--bootstrap-server", cluster.state.bootstrap, *arguments]


def _require_built(checkout):
    if not checkout.share.is_dir():
        raise MpsrError(f"nothing is built at {checkout.share}: run 'bin/mpsr quickstart' or 'bin/mpsr cluster start'")


def _cluster(checkout):
    _require_built(checkout)
    return running_cluster(checkout, os.environ.get("MPSR_CLUSTER"))


def _help(name, command):
    what = command.program or command.main or command.benchmark or command.kafka
    hint = {
        "dfs": "\n'bin/mpsr dfs -help' lists its commands.",
        "dfsadmin": "\n'bin/mpsr dfsadmin -help' lists its commands.",
        "fsck": "\nExample: bin/mpsr fsck /cals/meas -files -blocks -locations",
        "kafka-topics": "\nExample: bin/mpsr kafka-topics --create --topic readings --partitions 2",
        "kafka-console-producer": "\nExample: bin/mpsr kafka-console-producer --topic readings < readings.json",
        "kafka-console-consumer": "\nExample: bin/mpsr kafka-console-consumer --topic readings --from-beginning",
    }.get(name, "")
    if command.program:
        hint = "\n--stock, as the first argument, leaves spark.sql.extensions unset."
    return (
        f"usage: bin/mpsr {name} [argument ...]\n\n{command.summary}\n\n"
        f"Passes all arguments to {what} with the configuration of the running cluster.{hint}"
    )
