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
"""Draws surfaces of several processes as one picture."""

import numpy
from vtkmodules.vtkFiltersCore import vtkAppendPolyData, vtkContourFilter
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow

import vtkmodules.vtkRenderingOpenGL2  # noqa: F401, I001 - the window's implementation
from hadoop_mpsr.vtk.window import colors, depths

_BACKGROUND = (1.0, 1.0, 1.0)
_COLOR = (0.2, 0.4, 0.8)
_AZIMUTH, _ELEVATION = 30, 25


class Surfaces:
    """Surfaces of equal value in a field, of the blocks that a process has."""

    def __init__(self, field, value):
        self._field = field
        self._value = value
        self._parts = vtkAppendPolyData()
        self._count = 0

    def add(self, image):
        """Adds those of a block.

        Raises ValueError if it lacks the field.
        """
        values = image.GetPointData()
        if not values.HasArray(self._field):
            names = ", ".join(values.GetArrayName(i) for i in range(values.GetNumberOfArrays()))
            raise ValueError(f"a block has no field '{self._field}'; it has {names or 'none'}")
        values.SetActiveScalars(self._field)
        contour = vtkContourFilter()
        contour.SetInputData(image)
        contour.SetValue(0, self._value)
        contour.Update()
        self._parts.AddInputData(contour.GetOutput())
        self._count += 1

    def all(self):
        """All of them, or None if there is no block."""
        if not self._count:
            return None
        self._parts.Update()
        return self._parts.GetOutput()


def draw(comm, surfaces, bounds, size):
    """The picture of the surfaces of all ranks, as an array of height x width x 3 bytes on rank 0; None on the others.

    Each rank draws its own from the same place without a screen; of each point the nearest one is seen. ``bounds`` are those
    of each of the rank's blocks, ``size`` is width and height.
    """
    known = [each for part in comm.allgather(bounds) for each in part]
    lowest = numpy.min([each[0::2] for each in known], axis=0)
    highest = numpy.max([each[1::2] for each in known], axis=0)
    whole = [bound for pair in zip(lowest, highest, strict=True) for bound in pair]
    parts = comm.gather(_drawn(surfaces, whole, size))
    if parts is None:
        return None
    nearest = numpy.argmin([depth for _, depth in parts], axis=0)
    return numpy.take_along_axis(numpy.array([color for color, _ in parts]), nearest[None, :, :, None], axis=0)[0]


def _drawn(surfaces, bounds, size):
    """The colors of a picture and how far what is seen is away, from 0 to 1."""
    renderer = vtkRenderer()
    renderer.SetBackground(*_BACKGROUND)
    if surfaces is not None:
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(surfaces)
        mapper.ScalarVisibilityOff()
        actor = vtkActor()
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(*_COLOR)
        renderer.AddActor(actor)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*size)
    window.AddRenderer(renderer)
    renderer.ResetCamera(bounds)
    renderer.GetActiveCamera().Azimuth(_AZIMUTH)
    renderer.GetActiveCamera().Elevation(_ELEVATION)
    renderer.ResetCamera(bounds)
    renderer.ResetCameraClippingRange(bounds)
    window.Render()
    return colors(window), depths(window)
