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
"""Reads blocks of images (.vti)."""

from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase
from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet
from vtkmodules.vtkIOXML import vtkXMLImageDataReader


def read(path):
    """A block; raises OSError if VTK cannot read it."""
    problems = []
    reader = vtkXMLImageDataReader()
    reader.AddObserver(vtkCommand.ErrorEvent, _Problems(problems))
    reader.SetFileName(path)
    reader.Update()
    if problems or reader.GetErrorCode():
        raise OSError(f"'{path}' cannot be read as an image of VTK (.vti): {' '.join(problems) or 'see above'}")
    return reader.GetOutput()


class _Problems:
    CallDataType = "string0"

    def __init__(self, problems):
        self._problems = problems

    def __call__(self, caller, event, text):
        self._problems.append(" ".join(text.split()))


class MultiBlockReader(VTKPythonAlgorithmBase):
    """A source of a pipeline: the blocks of a .vtm file, of which this process reads those that are its own.

    The others are empty, as VTK's own readers in parallel leave them.
    """

    def __init__(self, paths, mine):
        """``paths`` are those of all blocks; ``mine`` the paths of those that this process reads."""
        super().__init__(nInputPorts=0, nOutputPorts=1, outputType="vtkMultiBlockDataSet")
        self._paths = list(paths)
        self._mine = mine

    def RequestData(self, _request, _inputs, outputs):  # noqa: N802 - VTK's name
        """Reads the blocks; VTK calls it."""
        output = vtkMultiBlockDataSet.GetData(outputs, 0)
        output.SetNumberOfBlocks(len(self._paths))
        number = {path: index for index, path in enumerate(self._paths)}
        for path in self._mine:
            output.SetBlock(number[path], read(path))
        return 1
