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
"""Files of VTK that name the blocks of a data set (.vtm)."""

import os
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from hadoop_mpsr.parallel import assign, split


def blocks(file):
    """The paths of the blocks that a .vtm file names, in its order; also of those in groups of blocks.

    Raises ValueError if it is no such file.
    """
    try:
        root = ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise ValueError(f"'{file}' is no XML: {error}") from error
    if root.tag != "VTKFile" or root.get("type") != "vtkMultiBlockDataSet":
        raise ValueError(f"'{file}' is no multi-block data set of VTK (.vtm), but <{root.tag} type={root.get('type')!r}>")
    named = [each.get("file") for each in root.iter("DataSet")]
    found = [os.path.join(os.path.dirname(file), name) for name in named if name]
    if not found:
        raise ValueError(f"'{file}' names no block")
    return found


def reordered(file, hosts, cost=None):
    """The text of a .vtm file with the same blocks, for readers that give each process as many blocks in a row.

    ParaView's own reader does that, and counts empty blocks, so that process n then reads what lies on ``hosts[n]``.
    """
    paths = blocks(file)
    readers = assign([split(path) for path in paths], hosts, cost)
    parts = [[path for path, reader in zip(paths, readers, strict=True) if reader == process] for process in range(len(hosts))]
    longest = max(map(len, parts))
    padded = [path for part in parts for path in part + [None] * (longest - len(part))]
    return "".join(
        [
            '<?xml version="1.0"?>\n<VTKFile type="vtkMultiBlockDataSet" version="1.0">\n  <vtkMultiBlockDataSet>\n',
            *(f'    <DataSet index="{i}"{_named(path)}/>\n' for i, path in enumerate(padded)),
            "  </vtkMultiBlockDataSet>\n</VTKFile>\n",
        ]
    )


def _named(path):
    return "" if path is None else f" file={quoteattr(os.path.abspath(path))}"
