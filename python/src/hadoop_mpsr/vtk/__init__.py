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
"""Pictures of VTK's multi-block files in which each process reads the blocks that lie on its host.

Needs ``pip install hadoop-mpsr[vtk]``. ``python -m hadoop_mpsr.vtk --help`` shows what the program can do.
"""

from hadoop_mpsr.vtk.multi_block import blocks, reordered

__all__ = ["blocks", "reordered"]
