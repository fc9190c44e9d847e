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
"""What the tarball of each role must hold, what may be in it, and how large it may become."""

import dataclasses
import hashlib
import re
import subprocess
from pathlib import Path

from mpsr_launcher.checkout import java

ANYWHERE = ("org.jspecify.", "javax.annotation.")
"""Annotations, which no JVM needs."""


@dataclasses.dataclass(frozen=True)
class Part:
    """A class path of a role. Paths are patterns below share.

    ``ours`` are the jars whose classes must find all that they name, in the directories of ``beside`` or in the directories of
    ``host``, which stand for what the host has: share of mpsr-all, or Spark's jars. ``entries`` are the classes that the host
    is told. ``absent`` are beginnings of names of classes that need not be there.
    """

    ours: tuple[str, ...]
    beside: tuple[str, ...]
    entries: tuple[str, ...]
    host: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Role:
    """``licences``: the class paths whose libraries it lists, each with its directories. ``most``: MB of the tarball."""

    most: int
    parts: tuple[Part, ...]
    licences: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    files: tuple[str, ...] = ()


_NAMENODE = Part(
    ours=("mpsr/*.jar", "mpsr/cli/parquet-*.jar"),
    beside=("mpsr", "mpsr/cli"),
    entries=(
        "org.hadoopmpsr.namenode.MpsrPlugin",
        "org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy",
        "org.hadoopmpsr.client.cli.MpsrCommand",
        "org.hadoopmpsr.mount.server.LocalMounts",
    ),
    host=("hadoop",),
)
_MAPREDUCE = Part(
    ours=("mapreduce/*.jar",),
    beside=("mapreduce",),
    entries=("org.hadoopmpsr.mapreduce.MpsrClientProtocolProvider",),
    host=("hadoop", "mpsr/cli"),
    absent=("org.apache.parquet.avro.",),  # of the jobs, which bring it or do not use it
)
_SPARK = Part(ours=("spark/*.jar",), beside=("spark",), entries=("org.hadoopmpsr.spark.MpsrSparkSessionExtensions",), host=("*spark*",))
_CONNECT = Part(
    ours=tuple(f"connect/mpsr-ingest/{name}*.jar" for name in ("mpsr", "hadoop-mpsr", "parquet", "avro", "jackson", "protobuf")),
    beside=("connect/mpsr-ingest",),
    entries=("org.hadoopmpsr.ingest.MpsrSinkConnector",),
    host=("kafka",),
    # The commands, which lie in the client's jar, and Avro's files of records, which nobody reads here.
    absent=("picocli.", "org.apache.commons.compress.", "org.apache.commons.io."),
)
_BENCHMARKS = Part(
    ours=("benchmarks/benchmarks-*.jar",),
    beside=("benchmarks", "connect/mpsr-ingest"),
    entries=(
        "org.hadoopmpsr.benchmarks.generator.Generate",
        "org.hadoopmpsr.benchmarks.generator.ParquetToKafka",
        "org.hadoopmpsr.benchmarks.encode.BulkLoad",
    ),
)

_CATALOG = Part(
    ours=("catalog/mpsr-catalog-*.jar",),
    beside=("catalog",),
    entries=("org.hadoopmpsr.catalog.server.RestGateway", "org.apache.iceberg.rest.RESTSerializers"),
    host=("hadoop", "mpsr", "mpsr/cli"),
)

_MPSR = {"mpsr": ("mpsr", "mpsr/cli")}
_GATEWAY = {"catalog": ("catalog",)}
_INGEST = {"connect": ("connect/mpsr-ingest",)}
_GENERATOR = {"benchmarks": ("benchmarks",)}
_STOCK = {"hadoop": ("hadoop",), "kafka": ("kafka",)}
_SHELL = ("share/man/man1/hdfs-mpsr-dataset.1", "share/bash-completion/completions/hdfs", "bin/hdfs-mpsr", "bin/mount.hdfs-mpsr")

ROLES = {
    "mpsr-hadoop": Role(
        29,
        (_NAMENODE, _MAPREDUCE),
        _MPSR,
        (
            *_SHELL,
            "conf/shellprofile.d/mpsr.sh",
            "conf/hdfs-site.xml",
            "conf/systemd/mpsr-maintain.service",
            "conf/systemd/mpsr-catalog.service",
        ),
    ),
    "mpsr-connect": Role(79, (_CONNECT,), _INGEST),
    "mpsr-catalog": Role(25, (_CATALOG,), _GATEWAY),
    "mpsr-benchmarks": Role(100, (_BENCHMARKS,), _GENERATOR | _INGEST, ("bin/mpsr", "benchmarks/data/measurement.desc")),
    "mpsr-all": Role(
        230,
        (_NAMENODE, _MAPREDUCE, _SPARK, _CONNECT, _CATALOG, _BENCHMARKS),
        _MPSR | _INGEST | _GATEWAY | _GENERATOR | _STOCK,
        (*_SHELL, "bin/mpsr"),
    ),
}
"""By the names of the tarballs; each Spark has one more, see role()."""

HADOOPS_OWN = frozenset(
    """activation avro commons-logging jackson-annotations jackson-core jackson-databind jakarta.activation-api jaxb-api
    jersey-server jetty-http jetty-io jetty-security jetty-server jetty-util metrics-core re2j snappy-java""".split()
)
"""Libraries of which share/hadoop has another version than Kafka, Connect and the benchmarks: that of stock Hadoop."""


def role(name):
    """The role of a tarball. The jar for Spark 3 has a Parquet of its own."""
    spark = re.fullmatch(r"mpsr-spark-(\d+)\.\d+_\d+\.\d+", name)
    return Role(16 if spark[1] == "3" else 7, (_SPARK,)) if spark else ROLES[name]


def twice(share):
    """What lies twice below the directory share, in words. Links count as nothing: that is what they are for."""
    found, by_name, by_bytes = [], {}, {}
    for jar in sorted(path for path in share.rglob("*.jar") if not path.is_symlink()):
        name, place = _library(jar.name), jar.relative_to(share)
        own = place.parts[0] == "hadoop" and name in HADOOPS_OWN
        content = hashlib.sha256(jar.read_bytes()).hexdigest()
        for seen, key in ((by_name, (name, own)), (by_bytes, content)):
            if key in seen:
                found.append(f"{seen[key]} and {place}")
            seen[key] = place
    return sorted(set(found))


def _library(jar):
    """The name of a jar's library, without the version, but with what the jar is made for."""
    return re.sub(r"-\d[^-]*?(-\d+)?(-SNAPSHOT|\.Final|-jre)?(?=(-(linux|osx)-\w+)?\.jar$)", "", jar).removesuffix(".jar")


def missing(share, part, host, without=""):
    """What classes of a part name and nobody has, in words. Leaves out the jars whose names begin with ``without``."""
    path = [jar for directory in part.beside for jar in (share / directory).glob("*.jar")]
    path = [jar for jar in path if not without or not jar.name.startswith(without)]
    path += [jar for directory in host for jar in directory.glob("*.jar")]
    ours = [jar for pattern in part.ours for jar in share.glob(pattern)]
    ours = [str(jar) for jar in ours if not without or not jar.name.startswith(without)]
    command = [str(Path(java.java()).with_name("jdeps")), "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]
    command += ["--multi-release", "17", "--missing-deps", "-cp", ":".join(map(str, path)), *ours]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    named = re.findall(r"^ +(\S+) +-> (\S+) +not found$", done.stdout, re.MULTILINE)
    return sorted(f"{of} needs {name}" for of, name in named if not name.startswith((*ANYWHERE, *part.absent)))
