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
"""Where things lie: in a checkout, or in an unpacked distribution, which is a checkout without sources."""

import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from mpsr_launcher.checkout import sparks

POM = "{http://maven.apache.org/POM/4.0.0}"


class Checkout:
    """Paths below the root. Sources are built into a distribution in mpsr-dist/target; without them the root is one."""

    def __init__(self, root, run=None, spark=sparks.OWN):
        """``run`` is the directory that holds the clusters; by default .mpsr/run. ``spark`` is the Spark that is run."""
        self.root = Path(root).resolve()
        self.spark = spark
        self.has_sources = (self.root / "pom.xml").is_file()
        self.work = self.root / ".mpsr"
        self.venv = self.work / spark.venv
        self.run = Path(run).resolve() if run else self.work / "run"
        self.conf = self.root / "conf"
        self.benchmarks = self.root / "benchmarks"
        self.launcher = self.root / ("dev-support/launcher" if self.has_sources else "libexec")
        self.dist = self._dist()
        self.share = self.dist / "share"

    def _dist(self):
        if not self.has_sources:
            return self.root
        return self.root / "mpsr-dist" / "target" / f"mpsr-{self._pom().findtext(POM + 'version')}"

    def tarballs(self):
        """The tarballs that were made of the sources, by their roles, such as mpsr-hadoop."""
        ending = f"-{self.versions()['mpsr']}.tar.gz"
        return {path.name.removesuffix(ending): path for path in sorted(self.dist.parent.glob(f"mpsr-*{ending}"))}

    def _pom(self):
        return ElementTree.parse(self.root / "pom.xml").getroot()

    def property(self, name):
        """A property of the checkout's build, such as hadoop.version."""
        return self._pom().findtext(f"{POM}properties/{POM}{name}")

    def versions(self):
        """The versions of the parts that this distribution was made of, by name."""
        found = {"mpsr": self.dist.name.removeprefix("mpsr-")}
        for name, pattern in (("hadoop", "hadoop/hadoop-common-*.jar"), ("kafka", "kafka/kafka-clients-*.jar")):
            for jar in self.share.glob(pattern):
                found[name] = jar.stem.rpartition("-")[2]
        found["spark"] = self.spark.version
        return found

    def spark_jar(self):
        """The jar of MPSR for the Spark that is run."""
        if not self.spark.module:
            return self.share / "spark" / "mpsr-spark-connector.jar"
        module = self.root / self.spark.module
        name = ElementTree.parse(module / "pom.xml").getroot().findtext(POM + "artifactId")
        return module / "target" / f"{name}-{self._pom().findtext(POM + 'version')}.jar"

    def spark_home(self):
        """The Spark inside the virtual environment's pyspark package."""
        found = sorted(self.venv.glob("lib/python3*/site-packages/pyspark"))
        return found[0] if found else self.venv / "lib" / "no-pyspark"


def root_of(environ=os.environ):
    """The checkout or distribution that bin/mpsr was called in."""
    return environ.get("MPSR_ROOT") or Path(__file__).resolve().parents[4]
