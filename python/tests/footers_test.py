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
"""The ends of Parquet files are read once, and the bytes that a read needs are fetched together."""

import io
import os
import random
import unittest

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from fake_hdfs import FakeHdfs
from fake_mpsr import PATH, FakeMpsr

import hadoop_mpsr
from hadoop_mpsr.data.footers import Footer, Footers

SEED = int(os.environ.get("MPSR_SEED", "20261129"))


def written(table, **how):
    """A table as a file."""
    sink = io.BytesIO()
    pq.write_table(table, sink, **how)
    return sink.getvalue()


class FooterTest(unittest.TestCase):
    def test_columns_of_any_type_are_found(self):
        kinds = {
            "a": pa.struct([("b", pa.int32()), ("c", pa.list_(pa.struct([("x", pa.int8()), ("y", pa.string())])))]),
            "a.b": pa.int64(),
            "m": pa.map_(pa.string(), pa.list_(pa.int32())),
            "l": pa.large_list(pa.decimal128(9, 2)),
            "f": pa.list_(pa.float32(), 2),
            "t": pa.timestamp("us", tz="UTC"),
            "s": pa.string(),
        }
        rows = [
            {"a": {"b": 1, "c": [{"x": 1, "y": "u"}]}, "a.b": 7, "m": [("k", [1, 2])], "l": [1, 2], "f": [1, 2], "t": 5, "s": "v"},
            dict.fromkeys(kinds),
        ]
        table = pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in kinds.items()})
        content = written(table)
        footer = Footer(io.BytesIO(content))
        self.assertEqual(footer.leaves(set(kinds)), list(range(pq.read_metadata(io.BytesIO(content)).num_columns)))
        for some in ({"a.b"}, {"a", "s"}, {"m", "t"}, {"l", "f"}, set(kinds), set()):
            opened = footer.open(io.BytesIO(content))
            found = opened.reader.read_row_group(0, column_indices=footer.leaves(some), use_threads=False)
            self.assertEqual(found.to_pylist(), table.select([name for name in kinds if name in some]).to_pylist(), some)

    def test_ranges_have_the_bytes_of_columns_and_a_file_is_read_from_them_alone(self):
        rng = random.Random(SEED)
        for number in range(20):
            with self.subTest(MPSR_SEED=SEED, number=number):
                count = rng.randrange(1, 60_000)
                columns = {f"c{each}": pa.array([rng.getrandbits(50) for _ in range(count)]) for each in range(rng.randrange(1, 5))}
                dictionary = rng.choice((True, False))
                content = written(pa.table(columns), row_group_size=rng.randrange(1_000, 40_000), use_dictionary=dictionary)
                footer = Footer(io.BytesIO(content))
                groups = [each for each in footer.row_groups(None) if rng.random() < 0.7]
                leaves = footer.leaves({name for name in columns if rng.random() < 0.7})
                ranges = footer.ranges(groups, leaves)
                for before, after in zip(ranges, ranges[1:], strict=False):
                    self.assertLess(before[1], after[0])
                blank = bytearray(len(content))
                for begin, end in ranges:
                    blank[begin:end] = content[begin:end]
                opened, whole = footer.open(io.BytesIO(blank)), pq.ParquetFile(io.BytesIO(content))
                for group in groups:
                    found = opened.reader.read_row_group(group, column_indices=leaves, use_threads=False)
                    self.assertEqual(found, whole.read_row_group(group, columns=[f"c{leaf}" for leaf in leaves]))
                    self.assertEqual(footer.records(group), len(whole.read_row_group(group)))

    def test_row_groups_that_cannot_have_records_that_pass_are_left_out(self):
        content = written(pa.table({"n": range(1_000)}), row_group_size=100)
        footer = Footer(io.BytesIO(content))
        self.assertEqual(footer.row_groups(ds.field("n") == 250), [2])
        self.assertEqual(footer.row_groups((ds.field("n") < 100) | (ds.field("n") >= 900)), [0, 9])
        self.assertEqual(footer.row_groups(ds.field("n") > 1_000), [])
        self.assertEqual(footer.row_groups(None), list(range(10)))

    def test_the_most_recently_used_are_kept(self):
        footer = Footer(io.BytesIO(written(pa.table({"n": [1]}))))
        footers = Footers(3 * footer.size)
        for number in range(3):
            footers.put((f"/{number}", 1, 1), footer)
        footers.put(("/2", 1, 1), footer)
        self.assertIsNotNone(footers.get(("/0", 1, 1)))
        footers.put(("/3", 1, 1), footer)
        self.assertIsNone(footers.get(("/1", 1, 1)))
        self.assertIsNotNone(footers.get(("/0", 1, 1)))
        self.assertIsNone(footers.get(("/0", 1, 2)), "another time")
        self.assertIsNone(footers.get(("/0", 2, 1)), "another length")


class ReadTest(unittest.TestCase):
    def setUp(self):
        self.hdfs = FakeHdfs()
        self.addCleanup(self.hdfs.close)
        self.mpsr = self.hdfs.mpsr = FakeMpsr(self.hdfs, [(name, name, "bigint") for name in ("n", "m", "k")])
        rng = random.Random(SEED)
        self.values = {name: [rng.getrandbits(60) for _ in range(60_000)] for name in ("m", "k")}
        table = pa.table({"n": range(60_000), **self.values})
        path = self.mpsr.add("signal", "x", table.slice(0, 1))
        self.content = written(table, row_group_size=20_000, use_dictionary=False, compression="none")
        self.put(path, self.content, 1)
        self.dataset = hadoop_mpsr.open(self.hdfs.addresses(), user="joe", patience_seconds=2).dataset(PATH)

    def put(self, path, content, modified):
        """The only file of the plan."""
        self.hdfs.files[path] = content
        self.mpsr.planned["signal"] = [{**self.mpsr.planned["signal"][0], "length": len(content), "modificationTime": modified}]

    def read(self, **asked):
        """A column of the records that pass, and what was read of the file for that."""
        self.hdfs.asked.clear()
        found = self.dataset.read(["k"], **asked)["k"].to_pylist()
        return found, self.hdfs.reads()

    def test_the_end_is_read_once(self):
        found, first = self.read(n=25_000)
        self.assertEqual(found, self.values["k"][25_000:25_001])
        self.assertEqual([offset + length for offset, length in first[:1]], [len(self.content)])
        found, again = self.read(n=25_001)
        self.assertEqual(found, self.values["k"][25_001:25_002])
        self.assertEqual(again, first[1:])
        self.assertEqual(self.hdfs.led(), 0, "where it is is known")
        self.assertLess(sum(length for _, length in again), len(self.content) / 3 + 1_000)

    def test_columns_are_fetched_together_where_little_is_between_them(self):
        self.read(n=1)
        found, reads = self.read(where="n >= 39999 AND n < 40001")
        self.assertEqual(found, self.values["k"][39_999:40_001])
        self.assertEqual(len(reads), 3, "columns of 160 KB between those of two row groups are not read")
        table = pq.read_table(io.BytesIO(self.content))
        path = self.mpsr.planned["signal"][0]["path"]
        self.put(path, written(table, row_group_size=1_000, use_dictionary=False, compression="none"), 2)
        self.read(n=1)
        found, reads = self.read(where="n >= 3999 AND n < 4001")
        self.assertEqual(found, self.values["k"][3_999:4_001])
        self.assertEqual(len(reads), 1)

    def test_a_file_that_was_written_anew_is_read_anew(self):
        self.read(n=1)
        path = self.mpsr.planned["signal"][0]["path"]
        table = pq.read_table(io.BytesIO(self.content))
        self.put(path, written(table.select(["m", "k", "n"]), row_group_size=20_000, use_dictionary=False, compression="none"), 2)
        self.assertEqual(self.read(n=1)[0], self.values["k"][1:2])

    def test_what_is_no_parquet_is_an_error_of_the_file(self):
        self.put(self.mpsr.planned["signal"][0]["path"], b"x" * 1_000, 3)
        with self.assertRaisesRegex(hadoop_mpsr.FilesGone, "is no file of Parquet"):
            self.read(n=1)


if __name__ == "__main__":
    unittest.main()
