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
"""The Sparks that the launcher can run: that of the distribution, and others that are built when they are asked for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Spark:
    """A PySpark in a virtual environment of its own, and the jar of MPSR for it."""

    version: str
    venv: str
    """The name of the directory in .mpsr."""
    requirements: str
    """The name of the files in requirements, without their endings."""
    download: str
    module: str = ""
    """The directory of the Maven module that makes the jar; empty for that of the distribution."""


OWN = Spark("4.1.3", "venv", "spark", "540 MB")
"""The pinned PySpark; the Maven build pins the same (spark.version)."""
OTHERS = {
    "3.5": Spark("3.5.9", "venv-spark-3.5", "spark-3.5", "320 MB", "mpsr-spark/3.5/2.12"),
    "4.0": Spark("4.0.4", "venv-spark-4.0", "spark-4.0", "430 MB", "mpsr-spark/4.0"),
    "4.2": Spark("4.2.0", "venv-spark-4.2", "spark-4.2", "470 MB", "mpsr-spark/4.2"),
    "4.3": Spark("4.3.0", "venv-spark-4.3", "spark-4.3", "470 MB", "mpsr-spark/4.2"),
}
"""The others by the names that users know. What PyPI has as PySpark 3.5 is for Scala 2.12."""
