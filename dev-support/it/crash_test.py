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
"""The Connect worker dies in the middle of the ingest: nothing is lost, nothing is there twice."""

import json
import unittest

import shared
from mpsr_launcher import waiting
from mpsr_launcher.cluster.ingest import Ingest
from mpsr_launcher.quickstart.quickstart import SHIPPED

RECORDS = 80_000
FLUSH_RECORDS = 10_000


class WorkerCrashTest(unittest.TestCase):
    @shared.long
    def test_sigkill_in_the_middle_of_the_ingest_loses_and_doubles_nothing(self):
        cluster = shared.cluster()
        ingest = Ingest(cluster, "/it/crash", topic="crash", connector="crash")
        source = cluster.checkout.benchmarks / "data" / SHIPPED
        ingest.create_dataset()
        sent = ingest.produce(source, limit=RECORDS)
        self.assertEqual(sent, RECORDS)

        ingest.create_connector(FLUSH_RECORDS, flush_interval_ms=60_000)
        self._kill_between_first_and_last_commit(cluster, ingest)
        interrupted = ingest.committed()
        self.assertGreater(interrupted, 0)
        self.assertLess(interrupted, sent, "the worker was not killed before its last commit")

        cluster.start_worker()
        ingest.await_committed(sent, timeout_seconds=180)

        known = ingest.show()["groups"]
        self.assertEqual({"time", "signal", "device"}, set(known))
        self._check_files(ingest, cluster, known)
        self._check_rows(ingest, cluster, source)

    def _kill_between_first_and_last_commit(self, cluster, ingest):
        """Kills once a commit is published and the files of a further one are being written."""
        dataset = f"/.mpsr/datasets/{ingest.show()['id']}"
        waiting.until(
            lambda: shared.listing(f"{dataset}/offsets") and shared.listing(f"{dataset}/staging"),
            "the first commit",
            120,
            ingest.require_healthy,
            interval_seconds=0.05,
        )
        cluster.kill_worker()

    def _check_files(self, ingest, cluster, known):
        """The job that reads every file as it lies: equal content in all groups, as the NameNode says."""
        output = cluster.directory / "crash-verify.json"
        done = shared.mpsr("verify", ingest.dataset, "--json", str(output))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(output.read_text(encoding="utf-8"))
        self.assertTrue(found["equal"])
        self.assertEqual({name: RECORDS for name in known}, {n: g["records"] for n, g in found["groups"].items()})
        self.assertEqual(
            {name: group["contentHash"] for name, group in known.items()},
            {name: group["contentHash"] for name, group in found["groups"].items()},
        )

    def _check_rows(self, ingest, cluster, source):
        """An ordinary query: as many rows as were sent, and none that was not sent, or not as often."""
        columns = "signal, device, system, timestamp_ns, value"
        stored = f"(SELECT {columns} FROM parquet.`{cluster.state.fs_uri}{ingest.dataset}`)"
        sent = f"(SELECT {columns} FROM parquet.`{source.as_uri()}`)"
        last = f"(SELECT max(timestamp_ns) FROM {stored})"
        done = shared.mpsr(
            "spark-sql",
            "-e",
            f"SELECT 'rows', count(*) FROM {stored};"
            f" SELECT 'foreign', count(*) FROM ({stored} EXCEPT ALL SELECT * FROM {sent} WHERE timestamp_ns <= {last});",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [f"rows\t{RECORDS}", "foreign\t0"])
