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
"""Files of VTK that name blocks; VTK itself is not needed."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from hadoop_mpsr.vtk import blocks, reordered
from hadoop_mpsr.vtk.__main__ import main

HEAD = '<?xml version="1.0"?>\n<VTKFile type="vtkMultiBlockDataSet" version="1.0">\n  <vtkMultiBlockDataSet>\n'
FOOT = "  </vtkMultiBlockDataSet>\n</VTKFile>\n"


class MultiBlockTest(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.directory / "all.vtm"

    def written(self, body):
        self.file.write_text(body)
        return str(self.file)

    def path(self, name):
        return str(self.directory / name)

    def test_blocks_in_order_also_in_groups(self):
        nested = '<Block index="1"><DataSet index="0" file="sub/b.vti"/><DataSet index="1"/></Block>'
        found = blocks(self.written(f'{HEAD}<DataSet index="0" file="a.vti"/>{nested}<DataSet index="2" file="/c&amp;d.vti"/>{FOOT}'))
        self.assertEqual([self.path("a.vti"), self.path("sub/b.vti"), "/c&d.vti"], found)

    def test_other_files_are_refused(self):
        for body, words in (
            ("x", "is no XML"),
            ('<VTKFile type="ImageData"/>', "no multi-block data set of VTK .*'ImageData'"),
            ("<a/>", "but <a type=None>"),
            (HEAD + FOOT, "names no block"),
        ):
            with self.subTest(body), self.assertRaisesRegex(ValueError, words):
                blocks(self.written(body))

    def test_each_process_gets_as_many_blocks_and_those_of_its_host(self):
        for name in "abc":
            (self.directory / f"{name}.vti").write_bytes(b"1234")
        held = {"a": "x", "b": "y", "c": "x"}
        text = HEAD + "".join(f'<DataSet file="{name}.vti"/>' for name in held) + FOOT

        def hosts(path, _):
            return f"{held[Path(path).stem]} 4\n".encode()

        with mock.patch("os.getxattr", hosts):
            ordered = reordered(self.written(text), ["y", "x"])
        wanted = "".join(
            [
                f'    <DataSet index="0" file="{self.path("b.vti")}"/>\n',
                '    <DataSet index="1"/>\n',
                *(f'    <DataSet index="{i}" file="{self.path(name)}.vti"/>\n' for i, name in ((2, "a"), (3, "c"))),
            ]
        )
        self.assertEqual(HEAD + wanted + FOOT, ordered)

    def test_the_program_tells_what_is_wrong(self):
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            code = main(["order", self.path("none.vtm"), "--hosts", "a,b"])
        self.assertEqual(1, code)
        self.assertIn("No such file", told.getvalue())


if __name__ == "__main__":
    unittest.main()
