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
"""Programs that need VTK: make the blocks of a field, and compare two pictures."""

import json
import math
import sys
from pathlib import Path

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkPNGReader
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

FIELD = "field"
_WAVES = 12


def main(command, *arguments):
    """make DIRECTORY BLOCKS POINTS, or compare PICTURE PICTURE."""
    if command == "make":
        make(Path(arguments[0]), int(arguments[1]), int(arguments[2]))
    else:
        print(json.dumps(compare(*arguments)))


def make(directory, blocks, points):
    """Makes a cube of blocks of a gyroid, each with so many points in each direction, and a file that names them."""
    directory.mkdir(parents=True)
    side = math.ceil(blocks ** (1 / 3))
    wave = side * (points - 1) / _WAVES
    names = [f"block-{number:04}.vti" for number in range(blocks)]
    for number, name in enumerate(names):
        origin = [number // side**axis % side * (points - 1) for axis in range(3)]
        z, y, x = numpy.meshgrid(*(numpy.arange(points) / wave + start / wave for start in reversed(origin)), indexing="ij")
        values = numpy.sin(x) * numpy.cos(y) + numpy.sin(y) * numpy.cos(z) + numpy.sin(z) * numpy.cos(x)
        image = vtkImageData()
        image.SetDimensions(points, points, points)
        image.SetOrigin(*origin)
        array = numpy_to_vtk(values.astype(numpy.float32).ravel(), deep=True)
        array.SetName(FIELD)
        image.GetPointData().SetScalars(array)
        writer = vtkXMLImageDataWriter()
        writer.SetFileName(str(directory / name))
        writer.SetInputData(image)
        writer.EncodeAppendedDataOff()
        writer.SetCompressorTypeToNone()
        writer.Write()
    named = "".join(f'    <DataSet index="{number}" file="{name}"/>\n' for number, name in enumerate(names))
    text = f'<VTKFile type="vtkMultiBlockDataSet" version="1.0">\n  <vtkMultiBlockDataSet>\n{named}  </vtkMultiBlockDataSet>\n</VTKFile>\n'
    (directory / "all.vtm").write_text(text, encoding="utf-8")


def compare(first, second):
    """The share of the points that differ, the most that one does (of 255), and the share that is not background."""
    one, other = (_points(file) for file in (first, second))
    if one.shape != other.shape:
        return {"differ": 1.0, "most": 255, "drawn": 0.0}
    difference = numpy.abs(one - other).max(axis=1)
    return {
        "differ": float((difference > 0).mean()),
        "most": int(difference.max()),
        "drawn": float((one != 255).any(axis=1).mean()),
    }


def _points(file):
    reader = vtkPNGReader()
    reader.SetFileName(file)
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).astype(int)


if __name__ == "__main__":
    main(*sys.argv[1:])
