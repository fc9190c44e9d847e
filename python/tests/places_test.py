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
"""Further bytes of a file come from where some came from, without the NameNode, and from elsewhere when that fails."""

import unittest

from fake_hdfs import FakeHdfs

from hadoop_mpsr.webhdfs.caller import Caller
from hadoop_mpsr.webhdfs.client import WebHdfs
from hadoop_mpsr.webhdfs.places import Places

MIB = 1024 * 1024
ADDRESS = "http://dn:9864/webhdfs/v1/a?op=OPEN&user.name=joe&namenoderpcaddress=ns&length=7&offset=300"


class PlacesTest(unittest.TestCase):
    def test_an_address_is_that_of_other_bytes_nearby(self):
        places = Places()
        places.put("/a", 300, ADDRESS)
        found = "http://dn:9864/webhdfs/v1/a?op=OPEN&user.name=joe&namenoderpcaddress=ns&length=5&offset=0"
        self.assertEqual(places.get("/a", 0, 5), found)
        self.assertEqual(places.get("/a", 127 * MIB, 5), found.replace("offset=0", f"offset={127 * MIB}"))
        self.assertIsNone(places.get("/a", 128 * MIB, 5), "may be in another block")
        self.assertIsNone(places.get("/b", 0, 5))
        places.forget("/a", 1)
        self.assertIsNone(places.get("/a", 0, 5))

    def test_an_address_is_forgotten_after_a_minute(self):
        now = 100.0
        places = Places(lambda: now)
        places.put("/a", 0, ADDRESS)
        now = 159.9
        self.assertIsNotNone(places.get("/a", 0, 1))
        now = 160.0
        self.assertIsNone(places.get("/a", 0, 1))

    def test_an_address_that_does_not_say_once_which_bytes_is_not_kept(self):
        for wrong in ("http://dn/a?op=OPEN", ADDRESS.replace("length", "len"), f"{ADDRESS}&offset=1", ADDRESS.replace("=300", "=x")):
            places = Places()
            places.put("/a", 0, wrong)
            self.assertIsNone(places.get("/a", 0, 1), wrong)

    def test_the_most_recently_used_are_kept(self):
        places = Places()
        for number in range(4_096):
            places.put(f"/{number}", 0, ADDRESS)
        self.assertIsNotNone(places.get("/0", 0, 1))
        places.put("/more", 0, ADDRESS)
        self.assertIsNotNone(places.get("/0", 0, 1))
        self.assertIsNone(places.get("/1", 0, 1))


class ReadTest(unittest.TestCase):
    def setUp(self):
        self.hdfs = FakeHdfs(namenodes=2, datanodes=2)
        self.addCleanup(self.hdfs.close)
        self.hdfs.files["/a"] = bytes(range(256)) * 4
        self.client = WebHdfs(self.hdfs.addresses().split(","), Caller.of(None, "joe"), patience_seconds=2)

    def read(self, offset, length):
        """Bytes, which are right."""
        found = self.client.read("/a", "hdfs://ns/a", offset, length)
        self.assertEqual(found, self.hdfs.files["/a"][offset : offset + length])

    def test_the_namenode_is_asked_once(self):
        for offset in range(0, 1000, 100):
            self.read(offset, 24)
        self.assertEqual(self.hdfs.led(), 1)
        self.assertEqual(self.hdfs.reads(), [(offset, 24) for offset in range(0, 1000, 100)])

    def test_a_datanode_that_fails_is_excluded(self):
        self.read(0, 10)
        first = self.hdfs.datanodes[0]
        for change in (
            lambda: setattr(first, "refusal", (500, "IOException", "no disk")),
            lambda: setattr(first, "content", lambda found: found[:-1]),
            lambda: setattr(first, "content", lambda found: None),
        ):
            with self.subTest():
                self.hdfs._next = 0
                self.client = WebHdfs(self.hdfs.addresses().split(","), Caller.of(None, "joe"), patience_seconds=2)
                first.refusal, first.content = None, lambda found: found
                self.read(0, 10)
                self.hdfs.asked.clear()
                change()
                self.read(20, 10)
                self.assertEqual([name for name, op, _ in self.hdfs.asked], ["dn0", "nn0", "dn1"])
                self.assertEqual(self.hdfs.asked[1][2]["excludedatanodes"], "127.0.0.1")
                self.hdfs.asked.clear()
                self.read(40, 10)
                self.assertEqual([name for name, op, _ in self.hdfs.asked], ["dn1"])

    def test_the_namenode_says_what_is_wrong(self):
        self.read(0, 10)
        self.hdfs.datanodes[0].refusal = (403, "InvalidToken", "token has expired")
        self.hdfs.asked.clear()
        self.hdfs.active = self.hdfs.namenodes[1]
        with self.assertRaisesRegex(PermissionError, "HDFS does not take"):
            self.read(10, 10)
        self.assertEqual([name for name, _, _ in self.hdfs.asked], ["dn0", "nn0", "nn1", "dn0"])
        self.hdfs.datanodes[0].refusal = None
        self.read(10, 10)
        self.hdfs.denied.add("/a")
        self.hdfs.datanodes[0].refusal = (403, "AccessControlException", "Permission denied")
        with self.assertRaisesRegex(PermissionError, "Permission denied: user=joe"):
            self.read(20, 10)
        self.hdfs.denied.clear()
        self.hdfs.datanodes[0].refusal = None
        self.read(10, 10)
        del self.hdfs.files["/a"]
        with self.assertRaisesRegex(FileNotFoundError, "no such file"):
            self.client.read("/a", "hdfs://ns/a", 20, 10)


if __name__ == "__main__":
    unittest.main()
