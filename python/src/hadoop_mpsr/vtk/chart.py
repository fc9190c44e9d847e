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
"""Draws curves with VTK's charts."""

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkChartsCore import vtkAxis, vtkChart, vtkChartXY
from vtkmodules.vtkCommonDataModel import vtkTable
from vtkmodules.vtkViewsContext2D import vtkContextView

import vtkmodules.vtkRenderingContextOpenGL2  # noqa: F401, I001 - the view's implementation
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
from hadoop_mpsr.vtk.window import colors

_COLORS = ((31, 119, 180), (214, 39, 40), (44, 160, 44), (148, 103, 189), (255, 127, 14), (140, 86, 75), (23, 190, 207))


def draw(curves, span, titles, size):
    """The picture of curves: an array of height x width x 3 bytes, the lowest row first.

    ``curves`` has arrays of times and values by name; ``span`` is the range of time, ``titles`` are those of the axes.
    """
    chart = vtkChartXY()
    chart.SetShowLegend(True)
    for axis, title in ((vtkAxis.BOTTOM, titles[0]), (vtkAxis.LEFT, titles[1])):
        chart.GetAxis(axis).SetTitle(title)
    begin, end = span
    tables = []
    for number, (name, (times, values)) in enumerate(curves.items()):
        table = vtkTable()
        # Differences are exact where times in nanoseconds are none of a floating point number's
        for label, column in ((titles[0], (times - begin).astype(float)), (name, values)):
            array = numpy_to_vtk(numpy.ascontiguousarray(column), deep=True)
            array.SetName(label)
            table.AddColumn(array)
        line = chart.AddPlot(vtkChart.LINE)
        line.SetInputData(table, 0, 1)
        line.SetColor(*_COLORS[number % len(_COLORS)], 255)
        tables.append(table)
    bottom = chart.GetAxis(vtkAxis.BOTTOM)
    bottom.SetRange(0, float(end - begin))
    bottom.SetBehavior(vtkAxis.FIXED)
    view = vtkContextView()
    view.GetRenderWindow().SetOffScreenRendering(1)
    view.GetRenderWindow().SetSize(*size)
    view.GetRenderWindow().SetMultiSamples(0)
    view.GetScene().AddItem(chart)
    view.GetRenderWindow().Render()
    return colors(view.GetRenderWindow())
