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
"""The page of pictures in the NameNode's web UI, in a real browser on a cluster of real processes."""

import csv
import datetime
import getpass
import json
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path
from urllib.parse import urlencode

import chromium
import explore_data
import shared
from benchmarks.harness import data_layouts
from browser import Browser
from mpsr_launcher import waiting
from mpsr_launcher.cluster.config_files import host
from mpsr_launcher.console import Console

DATASET = "/it/explore"
SEED = int(os.environ.get("MPSR_SEED", "20261128"))
RECORDS = 20_000
FIRST, SECOND, _, HOSTILE = explore_data.NAMES
SHOWN = "document.querySelector('#explore-busy').hidden && document.querySelector('#explore-took').textContent != ''"
COLOURED = """(() => {
  const canvas = document.querySelector('#explore-chart canvas')
  const {width, height} = canvas
  const pixels = canvas.getContext('2d').getImageData(width / 4, height / 4, width / 2, height / 2).data
  let count = 0
  for (let i = 0; i < pixels.length; i += 4) count += pixels[i + 3] > 100 && pixels[i + 2] > pixels[i] + 50 ? 1 : 0
  return count / (pixels.length / 4)
})()"""
"""The share of the chart's middle that has the colour of the first signal."""


class ExploreTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        cls.root = f"http://127.0.0.1:{cls.cluster.state.ports['namenode.http']}"
        file = cls.cluster.directory / "explore.parquet"
        python = cls.cluster.checkout.venv / "bin" / "python"
        program = [python, explore_data.__file__, file, str(RECORDS), str(SEED)]
        cls.told = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
        data_layouts.load_mpsr(cls.cluster, DATASET, file, RECORDS * len(cls.told), 2 * RECORDS)

    def setUp(self):
        self.expected = []  # parts of errors that the browser's console is to show
        names = [host(number) for number in range(1, self.cluster.state.datanodes + 1)]
        self.browser = self.enter(names)

    def enter(self, names=()):
        """A browser that knows these names."""
        browser = Browser(chromium.find_or_install(Console()), 1300, hosts=names)
        self.addCleanup(browser.close)
        return browser

    def tearDown(self):
        left = [each for each in self.browser.errors if not any(part in each for part in self.expected)]
        self.assertEqual(left, [], "errors in the browser's console")
        elsewhere = [url for url in self.browser.requests if not url.startswith(f"{self.root}/")]
        self.assertEqual(elsewhere, [], "requests of the page itself to other hosts")

    def show(self, **view):
        """Opens the page with a view."""
        asked = urlencode({"user.name": getpass.getuser(), **view}, doseq=True)
        self.browser.open(f"{self.root}/mpsr-explore.html?{asked}")

    def picture(self, **view):
        """Opens the page with a view, and waits for its picture."""
        self.show(dataset=DATASET, **view)
        self.browser.until(SHOWN)

    def range(self):
        """The times between which the picture is, in nanoseconds, and their texts."""
        texts = self.browser.evaluate("['from', 'to'].map(id => document.querySelector(`#explore-${id}`).value)")
        return [self.nanos(text) for text in texts]

    @staticmethod
    def nanos(text):
        """A time of the page in nanoseconds."""
        clock, _, fraction = text.removesuffix("Z").partition(".")
        seconds = datetime.datetime.fromisoformat(f"{clock}+00:00").timestamp()
        return int(seconds) * 10**9 + int(fraction.ljust(9, "0") or 0)

    def figures(self):
        """What the table says of each signal: records, lowest, highest and mean."""
        rows = [row.split("\t") for row in self.browser.texts("#explore-statistics tr")]
        found = [[cell.strip() for cell in row if cell.strip() != "×"] for row in rows]
        return {row[-9]: [float(text.replace(",", "")) for text in row[-7:-3]] for row in found}

    def await_range(self, wanted):
        """Waits until the picture is one whose times are as wanted."""
        self.browser.until(SHOWN)
        waiting.until(lambda: wanted(*self.range()) and self.browser.evaluate(SHOWN), f"the range in place of {self.range()}", 30)

    def assert_as_told(self, names):
        """The table has the figures of all records of the signals."""
        found = self.figures()
        self.assertEqual(list(found), list(names))
        for name, (count, low, high, mean) in found.items():
            told = self.told[name]
            self.assertEqual(count, told["count"], SEED)
            for shown, exact in ((low, told["min"]), (high, told["max"]), (mean, told["mean"])):
                self.assertAlmostEqual(shown, exact, delta=abs(exact) * 1e-5)

    def test_from_the_page_mpsr_to_a_picture_of_signals_that_are_searched(self):
        self.browser.open(f"{self.root}/mpsr.html?user.name={getpass.getuser()}")
        self.browser.until("document.querySelectorAll('.mpsr-pictures').length > 0")
        found = self.browser.evaluate("[...document.querySelectorAll('.mpsr-pictures')].map(each => each.getAttribute('href'))")
        self.browser.open(f"{self.root}/{next(each for each in found if each.startswith('mpsr-explore.html?dataset=%2Fit%2Fexplore&'))}")
        self.browser.until("!document.querySelector('#explore-body').hidden")
        self.assertEqual(self.browser.texts("#ui-tabs li.active"), ["MPSR"])
        for count, (text, name) in enumerate((("i_meas", FIRST), ("LHC.B2", SECOND), ("onerror", HOSTILE)), 1):
            self.browser.type("#explore-search", text)
            self.browser.until(f"document.querySelector('#explore-names button')?.textContent === {json.dumps(name)}")
            self.browser.click("#explore-names button")
            self.browser.until(f"{SHOWN} && document.querySelectorAll('#explore-statistics tr').length == {count}")
        self.assert_as_told([FIRST, SECOND, HOSTILE])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#explore img').length"), 0)
        self.assertIsNone(self.browser.evaluate("window.hacked || null"))
        (took,) = self.browser.texts("#explore-took")
        self.assertRegex(took, r"^Read [\d.]+ [kM]?B in \d+ requests and \d+ ms; group signal, .+: \d+ files?\.$")
        self.assertEqual([text.split("\t")[0] for text in self.browser.evaluate(
            "[...document.querySelectorAll('#explore-candidates tr')].map(row => row.cells[0].textContent)")], ["time", "signal", "device"])
        self.browser.click("#explore-statistics tr:first-child button")
        self.browser.until(f"{SHOWN} && document.querySelectorAll('#explore-statistics tr').length == 2")
        self.assertEqual(self.browser.texts("#explore-took")[0][:30], "Read 0 B: the records were here."[:30])

    def test_zoom_down_to_a_single_record_and_back(self):
        self.picture(signal=FIRST)
        self.assert_as_told([FIRST])
        whole = self.range()
        spike = self.told[FIRST]["spike"]
        while self.figures()[FIRST][0] > 1:
            begin, end = self.range()
            share = (spike - begin) / (end - begin)
            self.browser.drag(".u-over", max(0, share - 0.04), min(1, share + 0.04))
            self.await_range(lambda b, e, begin=begin, end=end: e - b < (end - begin) / 5)
        self.assertEqual(self.figures()[FIRST][1:2], self.figures()[FIRST][2:3])
        self.assertAlmostEqual(self.figures()[FIRST][1], self.told[FIRST]["max"], delta=1e-4)
        self.assertIn("Read 0 B: the records were here.", self.browser.texts("#explore-took")[0])
        near = self.range()
        self.browser.evaluate("history.back()")
        self.await_range(lambda b, e: e - b > near[1] - near[0])
        self.browser.click("#explore-all")
        self.await_range(lambda b, e: [b, e] == whole)
        self.assert_as_told([FIRST])

    def test_wheel_buttons_and_dragging_with_shift_move_the_range(self):
        begin, end = 1_493_618_400_000_000_000, 1_493_640_000_000_000_000
        self.picture(signal=[FIRST, SECOND], **{"from": "2017-05-01T06:00:00Z", "to": "2017-05-01T12:00"})
        self.assertEqual(self.range(), [begin, end])
        self.browser.turn(".u-over", -100)
        self.await_range(lambda b, e: b > begin and e < end)
        self.browser.click("#explore-out")
        self.await_range(lambda b, e: b < begin and e > end)
        was = self.range()
        self.browser.drag(".u-over", 0.5, 0.25, shift=True)
        self.await_range(lambda b, e: b > was[0] and e - b == was[1] - was[0])
        self.assertRegex(self.browser.texts("#explore-took")[0], r"^Read [1-9]")  # what came into sight alone
        moved = self.range()
        self.browser.click("#explore-earlier")
        self.await_range(lambda b, e: b < moved[0])
        self.browser.type("#explore-from", "2017-05-01T06:00:00.5")
        self.browser.click("#explore-range button[type=submit]")
        self.await_range(lambda b, e: b == begin + 5 * 10**8)

    def test_what_is_exported_is_what_is_shown(self):
        begin, end = 1_493_618_400_000_000_000, 1_493_622_000_000_000_000
        self.picture(signal=[SECOND, HOSTILE], **{"from": "2017-05-01T06:00:00Z", "to": "2017-05-01T07:00:00Z"})
        with tempfile.TemporaryDirectory() as directory:
            self.browser.save_into(directory)
            self.browser.click("#explore-csv")
            self.browser.click("#explore-png")
            files = [Path(directory) / f"explore.{ending}" for ending in ("csv", "png")]
            waiting.until(lambda: all(file.is_file() for file in files), "the files", 30)
            with open(files[0], encoding="utf-8", newline="") as text:
                header, *rows = csv.reader(text)
            self.assertTrue(files[1].read_bytes().startswith(b"\x89PNG"))
        self.assertEqual(header, ["signal", "timestamp_ns", "value"])
        for name, (count, low, high, _) in self.figures().items():
            mine = [row for row in rows if row[0] == name]
            self.assertEqual(len(mine), count)
            values = [float(row[2]) for row in mine]
            self.assertAlmostEqual(min(values), low, delta=1e-3)
            self.assertAlmostEqual(max(values), high, delta=1e-3)
            times = [self.nanos(row[1]) for row in mine]
            self.assertEqual(times, sorted(times))
            self.assertTrue(begin <= times[0] and times[-1] < end)
        again = self.browser.evaluate("location.href")
        figures = self.figures()
        self.browser.open(again)
        self.browser.until(SHOWN)
        self.assertEqual(self.figures(), figures)

    def test_a_picture_of_too_many_bytes_asks_first(self):
        self.show(dataset=DATASET, signal=FIRST, limit="0.2")
        self.browser.until("!document.querySelector('#explore-notice').hidden")
        (said,) = self.browser.texts("#explore-notice")
        self.assertRegex(said, r"the limit is 200 kB\. Zoom in, choose fewer signals, or read it anyway\. The boxes are an outline")
        self.assertRegex(self.browser.texts("#explore-took")[0], r"^Read .*; group signal, ")
        self.assertGreater(self.browser.evaluate(COLOURED), 0.5)
        self.browser.click("#explore-notice button")
        self.browser.until(SHOWN)
        self.assert_as_told([FIRST])

    def test_errors_are_shown_as_such(self):
        self.expected = ["404", "ERR_NAME_NOT_RESOLVED"]
        for view, part in (
            ({"dataset": "/it/none"}, "cannot ask for the dataset /it/none: "),
            ({"dataset": DATASET, "signal": FIRST, "from": "now", "to": "then"}, "'now' is no time. Write it as 2014-05-01"),
        ):
            self.show(**view)
            self.browser.until(f"document.querySelector('#alert-panel').innerText.includes({json.dumps(part)})")
        self.doCleanups()
        self.browser = self.enter()
        self.show(dataset=DATASET, signal=FIRST)
        self.browser.until("document.querySelector('#alert-panel').innerText.includes('does not answer this browser')")

    def test_the_launcher_shows_it_to_a_browser_that_knows_no_names(self):
        with shared.start_mpsr("explore", DATASET, "--no-browser") as process:
            try:
                address = process.stdout.readline().strip()
                self.root = address.partition("/mpsr-explore.html")[0]
                self.doCleanups()
                self.browser = self.enter()
                self.browser.open(f"{address}&{urlencode({'signal': FIRST})}")
                self.browser.until(SHOWN)
                self.assert_as_told([FIRST])
            finally:
                os.killpg(process.pid, signal.SIGINT)
            self.assertEqual(process.wait(20), 128 + signal.SIGINT)
