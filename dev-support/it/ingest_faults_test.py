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
"""A short form of dev-support/ingest-faults, and what ends an ingest: records and topics that are gone from Kafka."""

import os
import random
import unittest

import shared
import kafka_requests
from faults.fault_cluster import FaultCluster
from faults.scene import Scene
from faults.seeds import Seeds
from mpsr_launcher import waiting
from mpsr_launcher.checkout.setup import ensure_readers
from mpsr_launcher.console import Console
from mpsr_launcher.errors import MpsrError

SEED = int(os.environ.get("MPSR_SEED", "7"))
RECORDS = 4000
LOST = 100


class IngestFaultsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ensure_readers(shared.checkout(), Console())
        cls.cluster = FaultCluster(shared.checkout())
        cls.addClassCleanup(cls.cluster.end)
        cls.cluster.begin()

    def test_whatever_strikes_every_record_is_in_every_group_exactly_once(self):
        seeds = Seeds(self.cluster, Console().say)
        seeds.run(SEED)
        self.assertGreater(sum(seeds.struck.values()), 0)

    def test_records_that_kafka_has_deleted_stop_the_sink_until_it_may_skip_them(self):
        scene = self._ingested("retention")
        before = scene.ends()
        scene.sender.send(RECORDS)
        kafka_requests.delete_records(self.cluster.state.bootstrap, scene.name, 0, before[0] + LOST)

        scene.configure(tasks=1)
        failure = self._failure(scene)
        self.assertIn(f"Kafka has deleted offsets {before[0]} to {before[0] + LOST - 1} before they were committed", failure)
        self.assertIn("mpsr.offset.gap=skip", failure)
        self.assertEqual(scene.ends()[0], before[0])

        scene.configure(tasks=1, more={"mpsr.offset.gap": "skip"})
        scene.await_all_committed(60)
        records = {group["records"] for group in scene.show()["groups"].values()}
        self.assertEqual(records, {len(scene.sender.sent) - LOST})
        scene.end()

    def test_a_topic_that_was_made_anew_stops_the_sink_however_many_records_it_has(self):
        for name, more in (("shorter", -1), ("exact", 0), ("longer", 1)):
            with self.subTest(name):
                scene = self._ingested(f"recreated-{name}")
                before = scene.show()
                scene.make_anew(more)

                scene.configure(tasks=1)
                failure = self._failure(scene)
                self.assertIn("is not the one that the dataset is committed from", failure)
                self.assertIn("it was deleted and made anew", failure)
                self.assertEqual(scene.show(), before)
                scene.end()

    @shared.long
    def test_a_topic_that_is_made_anew_under_a_running_sink_gives_it_no_record(self):
        scene = Scene(self.cluster, "under-way", random.Random(SEED), print)
        scene.begin()
        scene.sender.send(RECORDS)
        scene.await_all_committed(90)
        before = scene.show()
        scene.make_anew(LOST)

        failure = self._failure(scene)
        self.assertRegex(failure, "made anew|beyond what Kafka has")
        self.assertEqual(scene.show(), before)
        scene.end()

    @shared.long
    def test_a_bad_record_that_is_too_large_for_the_dead_letter_queue_is_not_taken_for_kept(self):
        scene = self._ingested("oversized")
        before = scene.ends()
        kafka_requests.produce(self.cluster.state.bootstrap, scene.name, [b"\xff" * 1_048_000])

        scene.configure(tasks=1, more={
            "errors.tolerance": "all",
            "errors.deadletterqueue.topic.name": "oversized-dead",
            "errors.deadletterqueue.topic.replication.factor": "1",
            "errors.deadletterqueue.context.headers.enable": "true",
        })
        self.assertIn("Connect could not send 1 bad records to the dead letter queue", self._failure(scene))
        self.assertEqual(scene.ends(), before)
        scene.end()

    @shared.long
    def test_connects_offsets_are_not_changed_where_the_dataset_has_others(self):
        scene = Scene(self.cluster, "moved", random.Random(SEED), print)
        scene.begin()
        scene.sender.send(RECORDS)
        scene.await_all_committed(90)
        scene.patiently(lambda: self.cluster.connect.stop(scene.name))
        waiting.until(scene.has_no_task, "the end of all tasks", 60)

        with self.assertRaisesRegex(MpsrError, r"'hdfs mpsr dataset offsets /faults/moved --reset moved:\d=OFFSET'"):
            scene.patiently(lambda: self.cluster.connect.reset_offsets(scene.name))
        scene.end()

    def _ingested(self, name):
        """An ingest of which all is committed, without its connector."""
        scene = Scene(self.cluster, name, random.Random(SEED), print)
        scene.begin()
        scene.sender.send(RECORDS)
        scene.await_all_committed(90)
        scene.end()
        return scene

    def _failure(self, scene):
        """What the first task that fails says."""
        return waiting.until(scene.failures, "a failed task", 60)[0]
