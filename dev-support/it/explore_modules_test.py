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
"""The modules of the page of pictures by themselves, in a real browser: each alone, and M4 beside the package for Python."""

import http.server
import json
import os
import random
import subprocess
import tempfile
import threading
import unittest
from functools import partial
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qsl, urlsplit

import chromium
import shared
from browser import Browser
from mpsr_launcher.console import Console

SEED = int(os.environ.get("MPSR_SEED", "20261128"))
CASES = 300 if shared.LONG else 60
M4 = """
import json, sys
import numpy
from hadoop_mpsr import m4
found = []
for case in json.load(sys.stdin):
    times, values = numpy.array(case["times"], "int64"), numpy.array(case["values"], "float64")
    found.append([int(each) for each in m4.shown(times, values, case["begin"], case["end"], case["width"])])
print(json.dumps(found))
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; and as a NameNode with MPSR, plans and files that were made before."""

    extensions_map: ClassVar = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def do_GET(self):
        """Answers with a file of the folder, or with a range of one that was made."""
        url = urlsplit(self.path)
        if not url.path.startswith("/webhdfs/v1/"):
            super().do_GET()
            return
        asked = dict(parse_qsl(url.query))
        with open(self.server.made / url.path.rpartition("/")[2], "rb") as file:
            file.seek(int(asked["offset"]))
            self._send(file.read(int(asked["length"])))

    def do_POST(self):
        """Answers with the plan that a path has the number of."""
        path = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["path"]
        self._send(json.dumps(self.server.cases[int(path[1:])]["plan"]).encode())

    def _send(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Says nothing."""


class ExploreModulesTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.root = shared.checkout().root
        folder = cls.root / "hadoop-mpsr-namenode" / "src" / "main" / "resources" / "org" / "hadoopmpsr" / "namenode" / "explore"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        server.made = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.server = server
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        cls.browser = Browser(chromium.find_or_install(Console()))
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(f"http://127.0.0.1:{server.server_port}/m4.js")

    def ask(self, module, expression, **given):
        """The value of an expression with the names that a module exports; BigInts as texts. Names of ``given`` are constants."""
        names = ", ".join(self.browser.evaluate(f"import('./{module}.js').then(found => Object.keys(found))"))
        constants = "".join(f"const {name} = {json.dumps(value)}; " for name, value in given.items())
        told = "JSON.stringify(await (EXPRESSION), (_, each) => typeof each === 'bigint' ? String(each) : each)".replace("EXPRESSION", expression)
        text = self.browser.evaluate(f"(async () => {{ const {{{names}}} = await import('./{module}.js'); {constants} return {told} }})()")
        return None if text is None else json.loads(text)

    def refused(self, module, expression):
        """What the expression throws."""
        return self.ask(module, f"(async () => {expression})().then(() => null, error => error.message)")

    def cases(self):
        """Random curves with equal times and values, and charts of them."""
        rng = random.Random(SEED)
        for _ in range(CASES):
            base = rng.choice((0, -(10**6), 1_493_596_800 * 10**9))
            count = rng.choice((0, 1, 2, 10, 300))
            span = rng.choice((1, 7, 1000, 86_400 * 10**9))
            times = sorted(base + rng.randrange(span) for _ in range(count))
            values = [rng.choice((0.0, -0.0, 1.5, rng.uniform(-9, 9), float(rng.randrange(3)))) for _ in times]
            begin = base + rng.randrange(-span // 4, span)
            end = begin + 1 + rng.randrange(span)
            yield {"times": times, "values": values, "begin": begin, "end": end, "width": rng.choice((1, 3, 100, 1000))}

    def test_a_chart_has_the_points_that_pythons_has(self):
        cases = list(self.cases())
        environment = {**os.environ, "PYTHONPATH": str(self.root / "python" / "src")}
        program = [shared.checkout().venv / "bin" / "python", "-c", M4]
        told = subprocess.run(program, input=json.dumps(cases), env=environment, capture_output=True, text=True, check=True)
        texts = [{**each, "times": list(map(str, each["times"])), "begin": str(each["begin"]), "end": str(each["end"])} for each in cases]
        shown = "shown(BigInt64Array.from(c.times, BigInt), Float64Array.from(c.values), BigInt(c.begin), BigInt(c.end), c.width)"
        found = self.ask("m4", f"cases.map(c => {shown})", cases=texts)
        for case, mine, theirs in zip(cases, found, json.loads(told.stdout), strict=True):
            self.assertEqual(mine, theirs, f"MPSR_SEED={SEED}: {case}")
        self.assertGreater(sum(len(each) > 4 for each in found), CASES // 10)

    def test_files_of_all_forms_are_read_record_for_record(self):
        program = [shared.checkout().venv / "bin" / "python", Path(__file__).with_name("explore_files.py"), self.server.made, str(CASES), str(SEED)]
        subprocess.run(program, check=True)
        self.server.cases = json.loads((self.server.made / "cases.json").read_text(encoding="utf-8"))
        asked = """(async () => {
          const {NameNode} = await import('./namenode.js')
          const {Files} = await import('./files.js')
          const {Meter} = await import('./meter.js')
          const namenode = new NameNode({})
          const found = []
          for (const [number, {unit, signals, begin, end}] of cases.entries()) {
            const shape = {path: `/${number}`, key: 'k', time: 't', value: 'v', unit: BigInt(unit)}
            const range = {begin: BigInt(begin), end: BigInt(end)}
            const {records} = await readRecords(namenode, new Files(namenode), shape, signals, range, new Meter(Infinity), new AbortController().signal)
              .catch(error => ({records: [['error', {times: [String(error.stack)], values: []}]]}))
            found.push([...records].map(([name, {times, values}]) => [name, [...times].map(String), [...values].map(String)]))
          }
          return found
        })()"""
        cases = [{name: each[name] for name in ("unit", "signals", "begin", "end")} for each in self.server.cases]
        count = 0
        for case, found in zip(self.server.cases, self.ask("records", asked, cases=cases), strict=True):
            told = f"MPSR_SEED={SEED}: {[file['path'] for file in case['plan']['files']]}"
            read = {name: sorted([time, repr(float(text))] for time, text in zip(times, values, strict=True)) for name, times, values in found if name != "error"}
            self.assertEqual([times for name, times, _ in found if name == "error"], [], told)
            self.assertEqual(read, case["found"], told)
            for _, times, _ in found:
                self.assertEqual(times, sorted(times, key=int), told)
                count += len(times)
        self.assertGreater(count, CASES * 10)

    def test_times_are_read_and_written_to_the_nanosecond(self):
        texts = ["1970-01-01T00:00:00Z", "2017-05-01T06:30:01.000000001Z", "1901-12-31T23:59:59.9Z"]
        texts += ["0001-01-01T00:00:00Z", "+010000-01-01T00:00:00Z"]
        self.assertEqual(self.ask("times", "texts.map(each => formatTime(parseTime(each, 1n), 1n))", texts=texts), texts)
        self.assertEqual(self.ask("times", "['2017-05', '2017-05-01 06:30', '1969-12-31T23:59:59.5'].map(each => parseTime(each, 1000n))"),
                         ["1493596800000000", "1493620200000000", "-500000"])
        self.assertEqual(self.ask("times", "parseTime('1969-12-31T23:59:59', 86400000000000n)"), "-1")
        for wrong in ("now", "2017-02-30", "2017-13-01", "2017-05-01T24:00", "2017-05-01T06:60", "2017-05-01T06:00+02:00"):
            self.assertIn(f"'{wrong}' is no time", self.refused("times", f"parseTime('{wrong}', 1n)"))

    def test_an_axis_has_round_marks(self):
        texts = "(([begin, end, unit, room]) => { const {times, step} = marks(parseTime(begin, unit), parseTime(end, unit), unit, room);"
        texts += " return times.map((time, i) => markText(time, unit, step, times[i - 1])) })"
        for asked, first, count in (
            ("['2017-05-01T00:00:01', '2017-05-01T12:00', 1n, 10]", "02:00\n2017-05-01", 5),
            ("['2017-05-01', '2017-05-01T00:00:00.00000001', 1n, 10]", "00:00:00.000000000\n2017-05-01", 10),
            ("['2010-05-01', '2017-05-01', 1000n, 10]", "2011", 7),
            ("['2010-05-01', '2010-06-01', 86400000000000n, 10]", "2010-05-03", 8),
            ("['2017-05-01', '2017-05-02', 86400000000000n, 10]", "2017-05-01", 1),
        ):
            found = self.ask("times", f"{texts}({asked})")
            self.assertEqual((found[0], len(found)), (first, count), asked)

    def test_figures_of_few_and_of_close_values(self):
        self.assertEqual(self.ask("statistics", "statistics(Float64Array.of(9, 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16, 9), 1, 5)"),
                         {"count": 4, "min": 1e9 + 4, "max": 1e9 + 16, "mean": 1e9 + 10, "deviation": 30**0.5})
        self.assertEqual(self.ask("statistics", "Object.values(statistics(new Float64Array(1), 1, 1)).map(String)"), ["0", *["NaN"] * 4])

    def test_runs_of_files_become_one_in_the_order_of_time(self):
        run = "({times: BigInt64Array.from(t, BigInt), values: Float64Array.from(v)})"
        ordered = f"(({{times, values}}) => [[...times], [...values]])(ordered(runs.map(([t, v]) => {run})))"
        self.assertEqual(self.ask("records", ordered, runs=[[[5, 6], [1, 2]], [[1, 2], [3, 4]]]), [["1", "2", "5", "6"], [3, 4, 1, 2]])
        self.assertEqual(self.ask("records", ordered, runs=[[[1, 5], [1, 2]], [[1, 3], [3, 4]]]), [["1", "1", "3", "5"], [1, 3, 4, 2]])

    def test_an_address_says_the_view_and_never_a_token(self):
        search = "?user.name=ann&dataset=%2Fa&key=k&from=2017&to=2018&signal=x%26y&signal=z"
        self.assertEqual(self.ask("address", "searchOf(viewOf(text), identityOf(text))", text=search), search)
        token = "?delegation=secret&doas=bob&dataset=%2Fa"
        self.assertEqual(self.ask("address", "searchOf(viewOf(text), identityOf(text))", text=token), "?doas=bob&dataset=%2Fa")
        self.assertEqual(self.ask("address", "identityOf(text)", text=token), {"delegation": "secret", "doas": "bob"})

    def test_text_from_outside_is_shown_as_text(self):
        self.assertEqual(self.ask("printable", "printable('a\\n\\u202eb')"), r"a\u000a\u202eb")
        series = "{name: 'a,\"b\"', times: BigInt64Array.of(1n), values: Float64Array.of(1.5)}"
        csv = f"[...csvOf([{series}], 1n, {{key: 'k', time: 't', value: 'v'}})].join('')"
        self.assertEqual(self.ask("csv", csv), 'k,t,v\r\n"a,""b""",1970-01-01T00:00:00.000000001Z,1.5\r\n')

    def test_a_plans_request_has_whole_numbers_of_any_size(self):
        self.assertEqual(self.ask("json", "toJson({a: [9007199254740993n, 'x\"', null, true], b: undefined})"), '{"a":[9007199254740993,"x\\"",null,true]}')

    def test_the_columns_of_a_picture_are_those_by_which_groups_are_sorted(self):
        names = ("device d string", "signal s string", "at t timestamp", "made m timestamp", "n n int", "v v double")
        columns = [dict(zip(("name", "stored", "type"), each.split(), strict=True)) for each in names]
        by_time = {"name": "time", "predicates": ["day(`t`)"], "sort": ["d"]}
        by_signal = {"name": "signal", "predicates": ["bucket(8, s)"], "sort": ["s", "t"]}
        description = {"path": "/a", "columns": columns, "directoryColumns": [{"name": "day", "type": "date"}]}
        description.update(groups=[by_time, by_signal], defaultGroup="time")
        self.assertEqual(self.ask("shape", "shapeOf(description, {}).titles", description=description), {"key": "signal", "time": "at", "value": "v"})
        self.assertEqual(self.ask("shape", "shapeOf(description, {key: 'device', value: 'n'}).shape", description=description),
                         {"path": "/a", "key": "d", "time": "t", "value": "n", "unit": "1000"})
        few = {**description, "columns": columns[:4]}
        said = self.ask("shape", "Promise.resolve().then(() => shapeOf(few, {})).catch(error => error.message)", few=few)
        self.assertIn("/a has no column of numbers", said)

    def test_an_outline_has_a_box_for_each_page_of_one_signal(self):
        pages = {
            "k": [{"rowStart": 0, "rowEnd": 10, "low": "a", "high": "a"}, {"rowStart": 10, "rowEnd": 30, "low": "b", "high": "b"}],
            "t": [{"rowStart": 0, "rowEnd": 15, "low": 100, "high": 200}, {"rowStart": 15, "rowEnd": 30, "low": 50, "high": 150}],
            "v": [{"rowStart": 0, "rowEnd": 10, "low": 1, "high": 2}, {"rowStart": 10, "rowEnd": 20, "low": 3, "high": 4}, {"rowStart": 20, "rowEnd": 30}],
        }
        file = "{file: {path: '/f'}, pages: async column => made[column]}"
        scan = f"{{file: {file}, key: 'k', time: 't', value: 'v', scan: {{ranges: [{{}}]}}}}"
        asked = f"outlineOf([{scan}], {{}}, ['a', 'b'], {{begin: 0n, end: 1000n}})"
        made = "{...pages, t: pages.t.map(each => ({...each, low: BigInt(each.low), high: BigInt(each.high)}))}"
        boxes = f"(async () => {{ const made = {made}; return [...await {asked}] }})()"
        a = {"from": "100", "to": "200", "low": 1, "high": 2}
        b = {"from": "50", "to": "200", "low": 3, "high": 4}
        self.assertEqual(self.ask("outline", boxes, pages=pages), [["a", [a]], ["b", [b]]])
        pages["k"] = [{"rowStart": 0, "rowEnd": 30, "low": "a", "high": "b"}]
        said = self.ask("outline", f"{boxes}.catch(fault => fault.message)", pages=pages)
        self.assertEqual(said, "there is no outline: /f has pages that have records of several signals. Zoom in.")

    def test_bytes_beyond_the_limit_are_not_read(self):
        said = self.refused("meter", "{ const meter = new Meter(1000); meter.add(600); meter.add(401) }")
        self.assertEqual(said, "the picture is not drawn: it needs about 1 kB, and the limit is 1 kB. Zoom in, choose fewer signals, or read it anyway.")
