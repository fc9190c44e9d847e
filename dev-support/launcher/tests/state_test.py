# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
import dataclasses
import tempfile
import unittest
from pathlib import Path

from mpsr_launcher.cluster.state import load_state, new_state
from mpsr_launcher.errors import MpsrError


class StateTest(unittest.TestCase):
    def test_survives_saving(self):
        state = dataclasses.replace(new_state(3, 2), properties={"dfs.a": "b"})
        self.assertEqual(len(set(state.ports.values())), 5 + 3 * 3)
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "cluster.json"
            self.assertIsNone(load_state(path))
            state.save(path)
            self.assertEqual(load_state(path), state)
            path.write_text(path.read_text(encoding="utf-8")[:20], encoding="utf-8")
            self.assertIsNone(load_state(path), "half a file")

    def test_addresses(self):
        state = new_state(1, 1)
        self.assertEqual(state.fs_uri, f"hdfs://127.0.0.1:{state.ports['namenode']}")
        self.assertEqual(state.bootstrap, f"127.0.0.1:{state.ports['kafka']}")
        self.assertEqual(state.connect_url, f"http://127.0.0.1:{state.ports['connect']}")

    def test_impossible_sizes_are_refused(self):
        for datanodes, racks, said in ((0, 1, "datanodes 0"), (101, 1, "datanodes 101"), (3, 4, "racks 4"), (3, 0, "racks 0")):
            with self.assertRaisesRegex(MpsrError, f"^--{said}: must be 1 to "):
                new_state(datanodes, racks)
