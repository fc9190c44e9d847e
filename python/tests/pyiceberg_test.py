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
"""PyIceberg's FileIO over WebHDFS."""

import contextlib
import gc
import io
import logging
import os
import pickle
import random
import tempfile
import traceback
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from fake_hdfs import FakeHdfs
from pyiceberg.io import load_file_io

from hadoop_mpsr.pyiceberg import ADDRESS, WebHdfsFileIO
from hadoop_mpsr.webhdfs import client, namenodes
from hadoop_mpsr.webhdfs.stream import AHEAD_BYTES

SEED = 20261128
TOKEN = "KAAGaGFkb29wBHlhcm4AigF-secret"
FILE = "/cals/meas/day=2014-05-01/part 1?#%3A.parquet"
LOCATION = f"hdfs://ns{FILE}"


class FileIOTest(unittest.TestCase):
    def setUp(self):
        self.enterContext(mock.patch.dict(os.environ, clear=False))
        os.environ.pop("HADOOP_CONF_DIR", None)
        self.patience(5)

    def patience(self, seconds):
        """How long a request is made again if all servers fail."""
        defaults = list(client.WebHdfs.__init__.__defaults__)
        self.enterContext(mock.patch.object(client.WebHdfs.__init__, "__defaults__", (*defaults[:-1], seconds)))

    def hdfs(self, namenodes=1, datanodes=1, size=1_000_000):
        """Servers with one file of random bytes."""
        found = FakeHdfs(namenodes, datanodes)
        self.addCleanup(found.close)
        found.files[FILE] = random.Random(SEED).randbytes(size)
        return found

    def files(self, hdfs, **properties):
        """The FileIO as a catalog makes it."""
        given = {"py-io-impl": "hadoop_mpsr.pyiceberg.WebHdfsFileIO", f"{ADDRESS}ns": hdfs.addresses(), **properties}
        return load_file_io(given, LOCATION)

    def test_ranges_are_read_as_they_are_asked_for(self):
        hdfs = self.hdfs()
        content, rng = hdfs.files[FILE], random.Random(SEED)
        file = self.files(hdfs).new_input(LOCATION)
        self.assertEqual(len(file), len(content))
        self.assertTrue(file.exists())
        with file.open() as stream:
            for _ in range(100):
                at, size = rng.randrange(len(content) + 10), rng.choice((0, 1, 7, 5_000, 200_000, 2_000_000))
                self.assertEqual(stream.seek(at), at)
                self.assertEqual(stream.read(size), content[at : at + size], f"{at} {size}")
                self.assertEqual(stream.tell(), max(at, min(len(content), at + size)))
            stream.seek(-10, os.SEEK_END)
            self.assertEqual(stream.read(), content[-10:])
            with self.assertRaisesRegex(ValueError, "offsets begin with 0"):
                stream.seek(-10)
        with file.open() as stream:
            self.assertEqual(stream.read(), content)
        self.assertEqual(hdfs.reads()[-1], (0, len(content)))

    def test_the_caller_is_a_token_or_a_user_or_both(self):
        hdfs = self.hdfs()
        for properties, user in (({"hdfs.user": "joe"}, "joe"), ({"auth": {"type": "basic", "basic": {"username": "ann"}}}, "ann")):
            self.files(hdfs, **properties).new_input(LOCATION).exists()
            self.assertEqual(hdfs.asked[-1][2]["user.name"], user)
        self.files(hdfs, token=f"{TOKEN}\n").new_input(LOCATION).exists()
        self.assertEqual(hdfs.asked[-1][2]["delegation"], TOKEN)
        self.assertNotIn("user.name", hdfs.asked[-1][2])
        self.files(hdfs, token=TOKEN, **{"hdfs.user": "joe"}).new_input(LOCATION).exists()
        self.assertEqual((hdfs.asked[-1][2]["delegation"], hdfs.asked[-1][2]["user.name"]), (TOKEN, "joe"))

    def test_of_a_parquet_file_the_end_and_the_chunks_of_the_columns_are_read(self):
        hdfs, rng = self.hdfs(), random.Random(SEED)
        columns = {name: [rng.randbytes(100) for _ in range(10_000)] for name in ("a", "b", "c", "d")}
        sink = io.BytesIO()
        pq.write_table(pa.table(columns), sink, compression="none", use_dictionary=False, row_group_size=5_000)
        hdfs.files[FILE] = sink.getvalue()
        with self.files(hdfs).new_input(LOCATION).open() as stream:
            fragment = ds.ParquetFileFormat(pre_buffer=True).make_fragment(stream)
            found = ds.Scanner.from_fragment(fragment, schema=fragment.physical_schema, columns=["b"]).to_table()
        self.assertEqual(found["b"].to_pylist(), columns["b"])
        asked = sum(length for _, length in hdfs.reads())
        self.assertLess(asked, len(sink.getvalue()) / 4 + 4 * AHEAD_BYTES)
        self.assertGreater(len(sink.getvalue()) / 2, asked)

    def test_a_small_file_is_read_with_one_request(self):
        hdfs = self.hdfs()
        sink = io.BytesIO()
        pq.write_table(pa.table({"a": list(range(1_000)), "b": [str(n) for n in range(1_000)]}), sink, row_group_size=100)
        hdfs.files[FILE] = sink.getvalue()
        with self.files(hdfs).new_input(LOCATION).open() as stream:
            fragment = ds.ParquetFileFormat(pre_buffer=True).make_fragment(stream)
            found = ds.Scanner.from_fragment(fragment, schema=fragment.physical_schema, columns=["b"]).to_table()
        self.assertEqual(found["b"].to_pylist()[-1], "999")
        self.assertEqual(hdfs.reads(), [(0, len(sink.getvalue()))])

    def test_several_threads_read_files_and_one_stream(self):
        hdfs = self.hdfs()
        for number in range(8):
            hdfs.files[f"/f{number}"] = random.Random(number).randbytes(300_000)
        files = self.files(hdfs)

        def read(number):
            with files.new_input(f"hdfs://ns/f{number % 8}").open() as stream:
                return stream.read()

        with ThreadPoolExecutor(8) as pool:
            for number, content in enumerate(pool.map(read, range(40))):
                self.assertEqual(content, hdfs.files[f"/f{number % 8}"])

    def test_the_active_namenode_is_asked_and_remembered(self):
        hdfs = self.hdfs(namenodes=3)
        hdfs.active = hdfs.namenodes[1]
        files = self.files(hdfs)
        for _ in range(2):
            self.assertEqual(len(files.new_input(LOCATION)), 1_000_000)
        self.assertEqual([name for name, _, _ in hdfs.asked], ["nn0", "nn1", "nn1"])

    def test_a_dead_namenode_leads_to_the_other_also_within_a_file(self):
        hdfs = self.hdfs(namenodes=2)
        with self.files(hdfs).new_input(LOCATION).open() as stream:
            stream.read(10)
            hdfs.namenodes[0].stop()
            hdfs.active = hdfs.namenodes[1]
            stream.seek(500_000)
            self.assertEqual(stream.read(300_000), hdfs.files[FILE][500_000:800_000])
        self.assertEqual(hdfs.asked[-1][0], "dn0")

    def test_a_failover_is_waited_for(self):
        hdfs = self.hdfs(namenodes=2)
        hdfs.active = None
        with mock.patch.object(namenodes.time, "sleep", lambda seconds: self._end_failover(hdfs)):
            self.assertEqual(len(self.files(hdfs).new_input(LOCATION)), 1_000_000)
        self.assertEqual([name for name, _, _ in hdfs.asked], ["nn0", "nn1", "nn0", "nn1"])

    def _end_failover(self, hdfs):
        hdfs.active = hdfs.namenodes[1]

    def test_a_namenode_that_starts_is_asked_again(self):
        hdfs = self.hdfs()
        hdfs.namenodes[0].refusal = (403, "RetriableException", "Namenode is in startup mode")

        def started(seconds):
            hdfs.namenodes[0].refusal = None

        with mock.patch.object(namenodes.time, "sleep", started):
            self.assertEqual(len(self.files(hdfs).new_input(LOCATION)), 1_000_000)

    def test_without_an_active_namenode_the_error_says_what_each_said(self):
        hdfs = self.hdfs(namenodes=2)
        hdfs.active = None
        hdfs.namenodes[0].stop()
        self.patience(0.3)
        with self.assertRaises(OSError) as raised:
            self.files(hdfs, token=TOKEN).new_input(LOCATION).open()
        said = str(raised.exception)
        self.assertIn(f"HDFS has not answered about {LOCATION} for 0.3 s", said)
        self.assertRegex(said, r"127.0.0.1:\d+ does not answer \(ConnectionError\); .*StandbyException: Operation category READ")
        self.assertIn(f"The NameNodes asked are {hdfs.addresses().replace(',', ', ')}", said)

    def test_a_datanode_that_fails_leads_to_another(self):
        for broken in (lambda found: None, lambda found: found[:-1], lambda found: found + b"x"):
            hdfs = self.hdfs(datanodes=2)
            hdfs.datanodes[0].content = broken
            with self.files(hdfs).new_input(LOCATION).open() as stream:
                self.assertEqual(stream.read(), hdfs.files[FILE])
            self.assertEqual([name for name, _, _ in hdfs.asked if name.startswith("dn")], ["dn0", "dn1"])
            self.assertEqual(hdfs.asked[-2][2]["excludedatanodes"], "127.0.0.1")

    def test_a_dead_datanode_and_one_with_an_error_lead_to_others(self):
        hdfs = self.hdfs(datanodes=3)
        hdfs.datanodes[0].stop()
        hdfs.datanodes[1].refusal = (403, "IOException", "Could not obtain block")
        with self.files(hdfs).new_input(LOCATION).open() as stream:
            self.assertEqual(stream.read(), hdfs.files[FILE])

    def test_an_answer_that_stays_short_is_an_error(self):
        hdfs = self.hdfs()
        hdfs.datanodes[0].content = lambda found: found[:-3]
        self.patience(0.3)
        with self.files(hdfs).new_input(LOCATION).open() as stream, self.assertRaises(OSError) as raised:
            stream.read()
        self.assertRegex(
            str(raised.exception), "(999997 bytes instead of 1000000; the file may have become shorter|No active nodes)"
        )

    def test_a_file_that_is_deleted_meanwhile_is_not_found(self):
        hdfs = self.hdfs()
        with self.files(hdfs).new_input(LOCATION).open() as stream:
            del hdfs.files[FILE]
            with self.assertRaises(FileNotFoundError) as raised:
                stream.read()
        self.assertEqual(raised.exception.filename, LOCATION)
        self.assertFalse(self.files(hdfs).new_input(LOCATION).exists())
        with self.assertRaises(FileNotFoundError):
            self.files(hdfs).new_input(LOCATION).open()

    def test_a_file_that_is_deleted_behind_the_namenode_is_not_found(self):
        hdfs = self.hdfs()
        hdfs.datanodes[0].refusal = (404, "FileNotFoundException", "File does not exist")
        with self.files(hdfs).new_input(LOCATION).open() as stream, self.assertRaises(FileNotFoundError):
            stream.read()

    def test_who_may_not_read_is_told(self):
        hdfs = self.hdfs()
        hdfs.denied.add(FILE)
        for ask in (len, lambda file: file.exists(), lambda file: file.open()):
            with self.assertRaisesRegex(PermissionError, "user=joe, access=READ"):
                ask(self.files(hdfs).new_input(LOCATION))

    def test_a_token_that_has_expired_is_told_and_not_shown(self):
        hdfs = self.hdfs()
        hdfs.token = "another"
        with self.assertRaises(PermissionError) as raised:
            self.files(hdfs, token=TOKEN).new_input(LOCATION).open()
        said = str(raised.exception)
        self.assertIn("HDFS does not take the delegation token; it may have expired", said)
        self.assertIn("hdfs fetchdt", said)

    def test_a_caller_without_a_token_is_told(self):
        hdfs = self.hdfs()
        hdfs.namenodes[0].refusal = (401, "AuthenticationException", "Authentication required")
        with self.assertRaisesRegex(PermissionError, "does not take the name of the user 'joe'; give a delegation token"):
            self.files(hdfs, **{"hdfs.user": "joe"}).new_input(LOCATION).open()

    def test_no_log_and_no_error_has_the_token(self):
        hdfs = self.hdfs(namenodes=2, datanodes=2)
        hdfs.token = TOKEN
        records = io.StringIO()
        handler = logging.StreamHandler(records)
        root = logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        self.addCleanup(root.setLevel, level)
        self.addCleanup(root.removeHandler, handler)
        self.patience(0.3)
        files = self.files(hdfs, token=TOKEN)
        with files.new_input(LOCATION).open() as stream:
            self.assertEqual(stream.read(5), hdfs.files[FILE][:5])
        hdfs.token = "another"
        errors = [self._told(files)]
        for server in (*hdfs.datanodes, *hdfs.namenodes):
            server.refusal = (500, "RuntimeException", f"http://dn/?op=OPEN&delegation={TOKEN}&x=1")
        errors.append(self._told(files))
        hdfs.close()
        errors.append(self._told(files))
        self.assertIn("op=OPEN", records.getvalue())
        for text in (*errors, records.getvalue(), repr(files), repr(files._caller())):
            self.assertNotIn(TOKEN, text)

    def _told(self, files):
        """The whole trace of what is raised, with all that is behind it."""
        try:
            files.new_input(LOCATION).open()
        except OSError as error:
            told = [*traceback.format_exception(error)]
            while error:
                told.append(repr(error))
                error = error.__cause__ or error.__context__
            return "".join(told)
        self.fail("nothing was raised")

    def test_a_directory_is_there_and_is_not_read(self):
        file = self.files(self.hdfs()).new_input("hdfs://ns/cals/meas")
        self.assertTrue(file.exists())
        with self.assertRaises(IsADirectoryError):
            file.open()

    def test_what_is_no_namenode_is_told(self):
        hdfs = self.hdfs()
        for answer in (b"<html>", b"{}", b"[]", b'{"FileStatus": []}'):
            hdfs.namenodes[0].other = answer
            with self.assertRaisesRegex(OSError, f"is none of WebHDFS: see whether {hdfs.addresses()} are"):
                self.files(hdfs).new_input(LOCATION).open()

    def test_a_file_is_written_when_its_stream_is_closed(self):
        hdfs = self.hdfs()
        files, rng = self.files(hdfs), random.Random(SEED)
        for size in (0, 1, 3_000_000):
            content, path = rng.randbytes(size), f"/new/a {size}.parquet"
            file = files.new_output(f"hdfs://ns{path}")
            self.assertFalse(file.exists())
            with file.create() as stream:
                for at in range(0, size, 700_000):
                    stream.write(content[at : at + 700_000])
                self.assertEqual(stream.tell(), size)
                self.assertNotIn(path, hdfs.files)
            self.assertEqual((hdfs.files[path], len(file)), (content, size))
            self.assertEqual(file.to_input_file().open().read(), content)

    def test_arrow_writes_a_table(self):
        hdfs = self.hdfs()
        table = pa.table({"a": list(range(1_000))})
        with self.files(hdfs).new_output("hdfs://ns/t.parquet").create() as stream:
            pq.write_table(table, stream)
        self.assertEqual(pq.read_table(io.BytesIO(hdfs.files["/t.parquet"])), table)

    def test_what_fails_while_it_is_written_leaves_no_file(self):
        hdfs = self.hdfs()
        with self.assertRaisesRegex(RuntimeError, "no"), self.files(hdfs).new_output("hdfs://ns/t").create() as stream:
            stream.write(b"half")
            raise RuntimeError("no")
        stream = self.files(hdfs).new_output("hdfs://ns/t").create()
        stream.write(b"half")
        del stream
        gc.collect()
        self.assertNotIn("/t", hdfs.files)

    def test_a_file_that_is_there_is_overwritten_only_when_asked(self):
        hdfs = self.hdfs()
        with self.assertRaises(FileExistsError) as raised:
            self.files(hdfs).new_output(LOCATION).create()
        self.assertEqual(raised.exception.filename, LOCATION)
        with self.files(hdfs).new_output(LOCATION).create(overwrite=True) as stream:
            stream.write(b"new")
        self.assertEqual(hdfs.files[FILE], b"new")

    def test_a_dead_datanode_and_one_with_an_error_lead_to_others_that_write(self):
        hdfs = self.hdfs(namenodes=2, datanodes=3)
        hdfs.active = hdfs.namenodes[1]
        hdfs.datanodes[0].stop()
        hdfs.datanodes[1].refusal = (403, "IOException", "No space left on device")
        with self.files(hdfs).new_output("hdfs://ns/t").create() as stream:
            stream.write(b"all of it")
        self.assertEqual(hdfs.files["/t"], b"all of it")

    def test_who_may_not_write_is_told_and_has_written_nothing(self):
        hdfs = self.hdfs()
        hdfs.denied.add("/t")
        stream = self.files(hdfs).new_output("hdfs://ns/t").create(overwrite=True)
        stream.write(b"x")
        with self.assertRaisesRegex(PermissionError, "user=joe"):
            stream.close()
        self.assertTrue(stream.closed)
        self.assertNotIn("/t", hdfs.files)
        with self.assertRaisesRegex(ValueError, "closed"):
            stream.write(b"y")

    def test_a_file_is_deleted_once(self):
        hdfs = self.hdfs()
        files = self.files(hdfs)
        files.delete(files.new_input(LOCATION))
        self.assertNotIn(FILE, hdfs.files)
        with self.assertRaises(FileNotFoundError):
            files.delete(LOCATION)

    def test_what_a_gateway_has_is_read_from_its_web_server(self):
        hdfs = self.hdfs()
        gateway = hdfs.namenodes[0].url.replace("http", "webhdfs")
        self.assertEqual(self.files(hdfs, token=TOKEN).new_input(gateway + FILE).open().read(), hdfs.files[FILE])
        self.assertEqual(hdfs.asked[0][2]["delegation"], TOKEN)

    def test_other_locations_are_refused(self):
        for location in ("file:/tmp/a", "s3://ns/a", "/a", "hdfs:///a"):
            with self.assertRaisesRegex(ValueError, "is no location in HDFS"):
                self.files(self.hdfs()).new_input(location)

    def test_without_addresses_the_error_says_how_to_give_them(self):
        with self.assertRaisesRegex(
            ValueError, r"NameNodes of hdfs://ns are: set the property 'mpsr\.webhdfs\.address\.ns'.*HADOOP_CONF_DIR"
        ):
            WebHdfsFileIO({}).new_input(LOCATION)

    def test_the_configuration_of_hadoop_tells_the_addresses(self):
        hdfs = self.hdfs(namenodes=2)
        hdfs.active = hdfs.namenodes[1]
        first, second = (each.url.removeprefix("http://") for each in hdfs.namenodes)
        pairs = {
            "dfs.nameservices": "other, ns",
            "dfs.ha.namenodes.ns": "a,b",
            "dfs.namenode.http-address.ns.a": first,
            "dfs.namenode.http-address.ns.b": second,
        }
        directory = self.enterContext(tempfile.TemporaryDirectory())
        text = "".join(f"<property><name>{name}</name><value>{value}</value></property>" for name, value in pairs.items())
        with open(f"{directory}/hdfs-site.xml", "w", encoding="utf-8") as out:
            out.write(f"<configuration>{text}</configuration>")
        os.environ["HADOOP_CONF_DIR"] = directory
        self.assertEqual(len(WebHdfsFileIO({}).new_input(LOCATION)), 1_000_000)

    def test_a_copy_in_another_process_reads(self):
        hdfs = self.hdfs()
        copy = pickle.loads(pickle.dumps(self.files(hdfs)))
        self.assertEqual(len(copy.new_input(LOCATION)), 1_000_000)

    def test_a_gateway_that_reads_itself_needs_no_datanode(self):
        hdfs = self.hdfs()
        with contextlib.closing(FakeHdfs()) as other:
            # a server that answers OPEN with the bytes, as HttpFS does
            other.files = hdfs.files
            other.namenodes[0], other.active = other.datanodes[0], None
            with self.files(hdfs).new_input(LOCATION).open() as stream:
                hdfs.active = None
                stream._hdfs._namenodes.addresses = [other.namenodes[0].url]
                self.assertEqual(stream.read(), hdfs.files[FILE])
