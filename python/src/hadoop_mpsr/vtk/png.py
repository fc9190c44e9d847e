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
"""Pictures as files."""

from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkPNGWriter


def write(picture, file):
    """Writes an array of height x width x 3 bytes, the lowest row first.

    Raises OSError if it cannot be written.
    """
    height, width, parts = picture.shape
    image = vtkImageData()
    image.SetDimensions(width, height, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(picture.reshape(-1, parts), deep=True))
    writer = vtkPNGWriter()
    writer.SetFileName(file)
    writer.SetInputData(image)
    writer.Write()
    if writer.GetErrorCode():
        raise OSError(f"the picture cannot be written to '{file}'")
