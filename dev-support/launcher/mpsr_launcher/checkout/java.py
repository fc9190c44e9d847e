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
"""Class paths and JVM options of the Java processes."""

import os
import shutil
from pathlib import Path

from mpsr_launcher.errors import MpsrError

OPENS = [
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in ("java.lang", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util", "sun.nio.ch")
]


HADOOP_JAVA = "MPSR_HADOOP_JAVA"
"""The variable that names the home of the Java for Hadoop, for the commands and for Spark 3.5: Kafka and Spark 4 need a newer one."""


def java():
    """The java program: that of JAVA_HOME, else the one on the PATH."""
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    return found or "java"


def hadoop_home():
    """The home of the Java that MPSR_HADOOP_JAVA names, or None."""
    home = os.environ.get(HADOOP_JAVA)
    if home and not os.access(Path(home) / "bin" / "java", os.X_OK):
        raise MpsrError(f"{HADOOP_JAVA}={home} is no home of a Java: there is no program {home}/bin/java")
    return home or None


def _hadoop_java():
    home = hadoop_home()
    return str(Path(home) / "bin" / "java") if home else java()


def hadoop(share, conf, main, arguments, heap_mb=256, quick=True, extra=()):
    """The command line of a class of Hadoop or of ours, with the configuration directory given."""
    class_path = [conf, f"{share}/mpsr/*", f"{share}/hadoop", f"{share}/hadoop/*"]
    return hadoop_on(class_path, conf, main, arguments, heap_mb, quick, extra)


def hadoop_on(class_path, conf, main, arguments, heap_mb=256, quick=True, extra=()):
    """The same with another class path."""
    options = [*OPENS, f"-Djdk.net.hosts.file={conf}/hosts", "-Dhadoop.root.logger=INFO,console", *extra]
    return _command(class_path, main, arguments, heap_mb, quick, options, _hadoop_java())


def hadoop_tool(share, conf, main, arguments, quick=True):
    """The command line of a command, which shows warnings only. Quick: for one that ends soon."""
    class_path = [conf, f"{share}/mpsr/*", f"{share}/mpsr/cli/*", f"{share}/hadoop/*"]
    options = [*OPENS, f"-Djdk.net.hosts.file={conf}/hosts", "-Dhadoop.root.logger=WARN,console"]
    return _command(class_path, main, arguments, 384, quick, options, _hadoop_java())


def kafka(share, conf, main, arguments, heap_mb=256, quick=True, level="INFO", extra=()):
    """The command line of a class of Kafka: broker, Connect worker or tool."""
    options = [*OPENS, f"-Dlog4j2.configurationFile={conf}/log4j2.xml", f"-Dmpsr.log.level={level}", *extra]
    return _command([f"{share}/kafka/*"], main, arguments, heap_mb, quick, options)


def allowed_paths(*directories):
    """The option that lets connectors of a worker name files below these directories."""
    return f"-Dmpsr.allowed.paths={','.join(map(str, directories))}"


def benchmark(share, conf, main, arguments):
    """The command line of a class of the generator."""
    options = [*OPENS, f"-Dlog4j2.configurationFile={conf}/log4j2.xml", "-Dmpsr.log.level=WARN"]
    return _command([f"{share}/benchmarks/*"], main, arguments, 1024, False, options)


def bulk_load(share, conf, arguments, heap_mb):
    """The command line of the benchmarks' loader, which uses the sink's classes."""
    class_path = [conf, f"{share}/benchmarks/*", f"{share}/connect/mpsr-ingest/*"]
    options = [*OPENS, f"-Djdk.net.hosts.file={conf}/hosts", f"-Dlog4j2.configurationFile={conf}/log4j2.xml"]
    options += ["-Dmpsr.log.level=WARN"]
    return _command(class_path, "org.hadoopmpsr.benchmarks.encode.BulkLoad", arguments, heap_mb, False, options)


def encoding(share, main, arguments):
    """The command line of a program of the benchmarks that encodes by itself, with the sink's classes."""
    class_path = [f"{share}/benchmarks/*", f"{share}/connect/mpsr-ingest/*"]
    return _command(class_path, main, arguments, 1024, False, [*OPENS, "-Dmpsr.log.level=WARN"])


def in_process_cluster(class_path, main, arguments, quick=False):
    """The command line of a benchmark that runs NameNodes in its own process. Quick: compiled lightly."""
    path = os.pathsep.join(str(entry) for entry in class_path)
    options = ["-Xmx3g", "-XX:+UseG1GC", "-Djava.net.preferIPv4Stack=true", *OPENS]
    options += ["-XX:TieredStopAtLevel=1"] if quick else []
    return [java(), *options, "-cp", path, main, *arguments]


def _command(class_path, main, arguments, heap_mb, quick, options, program=None):
    """Quick: compiled lightly, for processes that must start fast and do little work."""
    tuning = [f"-Xmx{heap_mb}m", "-XX:+UseSerialGC", "-Xshare:auto", "-Djava.net.preferIPv4Stack=true"]
    if quick:
        tuning.append("-XX:TieredStopAtLevel=1")
    path = os.pathsep.join(str(entry) for entry in class_path)
    return [program or java(), *tuning, *options, "-cp", path, main, *arguments]
