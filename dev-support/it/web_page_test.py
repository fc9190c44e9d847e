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
"""The page of MPSR in the NameNode's web UI, seen with a real browser."""

import json
import unittest
from pathlib import Path

import chromium
import shared
from browser import Browser
from mpsr_launcher import waiting
from mpsr_launcher.cluster.ingest import SCHEMA, Ingest
from mpsr_launcher.console import Console
from mpsr_launcher.quickstart.quickstart import SHIPPED

RECORDS = 4_000
HOSTILE = '/it/<img src=x onerror="window.hacked=1">'
FOREIGN = "<svg onload=window.hacked=1>&lt;.parquet"


class WebPageTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.cluster = shared.cluster()
        cls.root = f"http://127.0.0.1:{cls.cluster.state.ports['namenode.http']}"
        cls.ingest = Ingest(cls.cluster, "/it/page", topic="page", connector="page")
        cls.ingest.create_dataset()
        cls.ingest.produce(cls.cluster.checkout.benchmarks / "data" / SHIPPED, limit=RECORDS)
        cls.ingest.create_connector(flush_records=RECORDS // 8, flush_interval_ms=500)
        cls.ingest.await_committed(RECORDS, timeout_seconds=120)

    def setUp(self):
        self.browser = Browser(chromium.find_or_install(Console()))
        self.addCleanup(self.browser.close)

    def tearDown(self):
        self.assertEqual(self.browser.errors, [], "errors in the browser's console")
        elsewhere = [url for url in self.browser.requests if not url.startswith(f"{self.root}/")]
        self.assertEqual(elsewhere, [], "requests to other hosts")

    def show(self):
        """Opens the page and waits until it is filled."""
        self.browser.open(f"{self.root}/mpsr.html")
        self.browser.until("document.querySelectorAll('#mpsr-groups tbody tr').length > 0")

    def rows(self, selector):
        """The rows of a table as lists of texts."""
        return [[cell.strip() for cell in row.split("\t")] for row in self.browser.texts(f"{selector} tbody tr")]

    def dataset(self, path):
        """A selector of the part that shows a dataset, which is there now."""
        paths = self.browser.texts(".mpsr-dataset h4")
        found = [index for index, text in enumerate(paths, 1) if text.startswith(f"{path} ")]
        self.assertEqual(len(found), 1, paths)
        mark = f"document.querySelectorAll('.mpsr-dataset')[{found[0] - 1}].id = 'under-test'"
        self.browser.evaluate(mark)
        return "#under-test"

    def test_from_the_start_page_and_back(self):
        self.browser.open(f"{self.root}/dfshealth.html")
        self.browser.until("document.querySelector('#tab-overview table') !== null")
        self.browser.click('#ui-tabs a[href="mpsr.html"]')
        self.browser.until("location.pathname == '/mpsr.html' && document.querySelector('#mpsr-groups') !== null")
        self.assertEqual(self.browser.texts("#ui-tabs li.active"), ["MPSR"])
        self.browser.click('#ui-tabs a[href="dfshealth.html#tab-datanode"]')
        self.browser.until("document.querySelectorAll('#table-datanodes tbody tr').length > 0")
        self.browser.open(f"{self.root}/explorer.html")
        self.browser.until("document.querySelector('#ui-tabs') !== null")

    def test_groups_and_nodes(self):
        self.show()
        self.assertEqual(self.browser.texts("#mpsr-state"), ["ready"])
        self.assertEqual(self.browser.texts(".mpsr-problem"), [])
        known = json.loads(shared.mpsr("groups", "--json").stdout)["groups"]
        groups = self.rows("#mpsr-groups")
        self.assertEqual([row[0] for row in groups], ["time (default)", "signal", "device"])
        for row, group in zip(groups, known):
            self.assertEqual(row[1], ", ".join(group["predicates"]))
            self.assertEqual(row[5], f"{len(group['nodes'])} of {len(group['nodes'])}")
            self.assertEqual(sorted(row[6].split(", ")), sorted({node["rack"] for node in group["nodes"]}))
            self.assertRegex(row[7], r"^[\d.]+ [KMGT]?B of [\d.]+ [MGT]B$")
        nodes = {(row[0], row[1], row[2], row[3]) for row in self.rows("#mpsr-nodes")}
        self.assertEqual(
            nodes, {(group["name"], n["host"], n["rack"], "In Service") for group in known for n in group["nodes"]}
        )

    def test_datasets_and_commits(self):
        known = self.ingest.show()
        self.show()
        part = self.dataset("/it/page")
        representations = self.rows(f"{part} .mpsr-representations")
        self.assertEqual([row[0] for row in representations], ["time", "signal", "device"])
        for row in representations:
            group = known["groups"][row[0]]
            self.assertEqual([row[2], row[3]], [f"{group['files']:,}", f"{group['records']:,}"])
            self.assertEqual([row[5], row[6], row[7:]], ["0", "0", []])
        commits = self.rows(f"{part} .mpsr-commits")
        self.assertTrue(commits)
        self.assertLessEqual({end["commitId"] for end in known["offsets"]}, {row[0] for row in commits})
        for commit, sources, time, files, records in commits:
            self.assertTrue(all(commit.startswith(s) for s in sources.split(", ")[:1]), (commit, sources))
            self.assertRegex(time, r"^\w{3} \w{3} \d\d \d\d:\d\d:\d\d \+?-?\d{4} \d{4}$")
            self.assertGreaterEqual(int(files), 3)
            self.assertGreater(int(records.replace(",", "")), 0)
        if len(commits) < 10:
            self.assertEqual(sum(int(row[4].replace(",", "")) for row in commits), RECORDS)
        offsets = [[o["topic"], str(o["partition"]), str(o["end"]), o["commitId"]] for o in known["offsets"]]
        self.assertEqual(sorted(self.rows(f"{part} .mpsr-offsets")), sorted(offsets))
        self._await_health("/it/page", ["ok"])
        counters = {row[1]: row[2] for row in self.rows("#mpsr-counters")}
        self.assertGreaterEqual(int(counters["Commits"]), len(commits))
        self._check_screenshot()

    def _await_health(self, path, wanted):
        """Health is looked at from time to time: opens the page again until it is as wanted."""

        def found():
            self.show()
            return {row[1] for row in self.rows(f"{self.dataset(path)} .mpsr-representations")} == set(wanted)

        waiting.until(found, f"the health {wanted} of {path} on the page", 60, interval_seconds=1)

    def _check_screenshot(self):
        file = Path(shared.checkout().work) / "it" / "web-page.png"
        self.browser.screenshot(file)
        self.assertTrue(file.read_bytes().startswith(b"\x89PNG"))
        self.assertGreater(file.stat().st_size, 20_000)

    def test_names_stay_text(self):
        created = shared.mpsr("dataset", "create", HOSTILE, "--schema", SCHEMA)
        self.assertEqual(created.returncode, 0, created.stderr)
        self.addCleanup(shared.mpsr, "dataset", "drop", HOSTILE)
        source = shared.checkout().root / "LICENSE"
        put = shared.mpsr("dfs", "-put", str(source), f"{HOSTILE}/{FOREIGN}")
        self.assertEqual(put.returncode, 0, put.stderr)

        def added():
            self.show()
            return [r for r in self.rows(f"{self.dataset(HOSTILE)} .mpsr-representations") if r[6] == "1"]

        waiting.until(added, f"the file that was put into {HOSTILE} on the page", 60, interval_seconds=1)
        (row,) = added()
        self.assertEqual([row[0], row[1]], ["time", "ok"])
        problem = f"1 file(s) with {source.stat().st_size} bytes that ordinary writers have added are not in all groups"
        self.assertEqual(row[7], problem)
        self.assertIn(f"{HOSTILE}, group 'time': {problem}", self.browser.texts(".mpsr-warning"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#mpsr img, #mpsr svg').length"), 0)
        self.assertIsNone(self.browser.evaluate("window.hacked || null"))

    def test_what_is_wrong_stands_out(self):
        gone = {"uuid": "u1", "group": "a", "host": "", "rack": "", "state": "Dead"}
        gone.update(capacityBytes=0, usedBytes=0, remainingBytes=0)
        full = {**gone, "uuid": "u2", "host": "h2", "rack": "/r2", "state": "In Service", "group": ""}
        full.update(capacityBytes=1000, usedBytes=900, remainingBytes=100)
        group = {**gone, "name": "a", "defaultGroup": True, "predicates": ["p<i>"], "sort": [], "replication": 1}
        group.update(codec="none", nodes=[gone], files=1, records=2, bytes=3, degradedFiles=1)
        lost = {"group": "a", "health": "degraded", "files": 1, "records": 2, "bytes": 3, "degradedFiles": 1}
        lost.update(untrackedFiles=0, problem="")
        dataset = {"path": "/x", "id": "x-1", "defaultGroup": "a", "representations": [lost], "commits": [], "offsets": []}
        dataset["liveCopies"] = [{"copies": 1, "records": 7_000, "bytes": 2048}, {"copies": 0, "records": 5, "bytes": 0}]
        info = {"State": "not_ready", "Problems": ["key = <b>: cause; fix"], "Warnings": ["look at <i>", "/a\n\u202eb"], "Groups": [group]}
        info.update(UnallocatedNodes=[full], Datasets=[dataset], LastHealthCheck=0, StoreDirectory="/s", Version="1")
        failed = {"dataset": "/x", "task": "compact", "outcome": "failed", "started": 1000, "ended": 2000, "failures": 2}
        failed.update(lastDone=0, segments=0, bytes=0, problem="<b>no Spark", scrub="<i>2 of 3")
        info["Maintenance"] = {"enabled": True, "holder": "h", "since": 1000, "expires": 2000, "checked": 0, "runs": [failed]}
        self.browser.fake("name=MpsrInfo", {"beans": [info]})
        self.show()
        self.assertEqual(self.browser.texts("#mpsr-state"), ["not ready"])
        self.assertEqual(self.browser.texts(".mpsr-problem"), ["key = <b>: cause; fix"])
        self.assertEqual(self.browser.texts(".mpsr-warning"), ["look at <i>", r"/a\u000a\u202eb"])
        self.assertIn("not looked at yet", " ".join(self.browser.texts("#mpsr-summary td")))
        (row,) = self.rows("#mpsr-groups")
        self.assertEqual([row[0], row[1], row[5]], ["a (default)", "p<i>", "0 of 1"])
        nodes = [row[:4] for row in self.rows("#mpsr-nodes")]
        self.assertEqual(nodes, [["a", "u1", "", "Dead"], ["none yet", "h2", "/r2", "In Service"]])
        self.assertEqual(len(self.browser.texts("tr.danger")), 2)
        self.assertEqual(self.browser.texts("#mpsr-nodes .progress-bar-danger"), [""])
        self.assertEqual(self.browser.texts(".mpsr-dataset .label-warning"), ["degraded"])
        (copies,) = self.browser.texts(".mpsr-copies")
        self.assertEqual(" ".join(copies.split()), "Live copies: 1: 7,000 records, 2 KB; 0: 5 records, 0 B;")
        (run,) = self.rows("#mpsr-maintenance")
        self.assertEqual([run[0], run[1], run[2], run[7], run[8]], ["/x", "compact", "failed", "2", "never"])
        self.assertEqual(run[9:], ["<b>no Spark", "<i>2 of 3"])
        self.assertTrue([text for text in self.browser.texts("#mpsr-summary td") if text.startswith("nobody, since ")])
        self.assertIn("Nothing is committed yet.", self.browser.texts(".mpsr-dataset p"))

    def test_a_standby_says_so(self):
        self.browser.fake("name=NameNodeStatus", {"beans": [{"State": "standby"}]})
        self.show()
        (text,) = self.browser.texts("#mpsr-passive")
        self.assertTrue(text.startswith("This NameNode is standby. "), text)

    def test_a_namenode_whose_plugin_did_not_start_says_so(self):
        self.browser.fake("name=MpsrInfo", {"beans": []})
        self.browser.open(f"{self.root}/mpsr.html")
        self.browser.until("document.querySelector('#alert-panel').innerText.startsWith('MPSR does not run')")
