# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Which process of a parallel program reads which file, so that most is read where it lies.

The files lie below a mount of HDFS (``hdfs mpsr mount``), which tells in extended attributes which hosts hold them.
"""

from hadoop_mpsr.parallel.assignment import assign
from hadoop_mpsr.parallel.cost import ReadCost
from hadoop_mpsr.parallel.mpi import dynamic, static
from hadoop_mpsr.parallel.splits import Split, split
from hadoop_mpsr.parallel.work import Work

__all__ = ["ReadCost", "Split", "Work", "assign", "dynamic", "split", "static"]
