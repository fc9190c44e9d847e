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
"""What a window without a screen shows."""

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkWindowToImageFilter


def colors(window):
    """The colors of its points: an array of height x width x 3 bytes, the lowest row first."""
    return _taken(window, vtkWindowToImageFilter.SetInputBufferTypeToRGB)


def depths(window):
    """How far what is seen at its points is away, from 0 to 1: an array of height x width."""
    return _taken(window, vtkWindowToImageFilter.SetInputBufferTypeToZBuffer)[:, :, 0]


def _taken(window, choose):
    taken = vtkWindowToImageFilter()
    taken.SetInput(window)
    choose(taken)
    taken.ReadFrontBufferOff()
    taken.ShouldRerenderOff()
    taken.Update()
    width, height = window.GetSize()
    return vtk_to_numpy(taken.GetOutput().GetPointData().GetScalars()).reshape(height, width, -1).copy()
