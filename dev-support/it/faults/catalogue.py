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
"""All faults by name, and which of them a seed chooses."""

import random
import signal

from faults import storage, workers
from faults.rpc_proxy import AFTER, BEFORE, DURING

FAULTS = {
    "worker killed": workers.worker_killed,
    "worker killed before publish": workers.worker_killed_at(BEFORE),
    "worker killed during publish": workers.worker_killed_at(DURING),
    "worker killed after publish": workers.worker_killed_at(AFTER),
    "worker killed in staging": workers.worker_killed_at(BEFORE, workers.STAGING),
    "worker stopped in staging": workers.worker_stopped(),
    "worker stopped before publish": workers.late_publish(signal.SIGSTOP, continues=True),
    "publish of a killed worker comes late": workers.late_publish(signal.SIGKILL, continues=False),
    "answer lost": workers.answer_lost,
    "question lost": workers.question_lost,
    "NameNode killed before publish": storage.namenode_killed_at(BEFORE),
    "NameNode killed during publish": storage.namenode_killed_at(DURING),
    "NameNode killed after publish": storage.namenode_killed_at(AFTER),
    "NameNode killed in staging": storage.namenode_killed_at(DURING, workers.STAGING),
    "NameNodes away at a start": storage.namenodes_away_at_start,
    "NameNode stopped": storage.namenode_stopped,
    "DataNode killed in mid-write": storage.datanode_killed,
    "disk full": storage.disk_full,
    "tasks scaled": workers.tasks_scaled,
    "connector paused": workers.paused,
    "connector restarted": workers.restarted,
    "dead letter oversized": workers.dead_letter_oversized,
    "connector copied, same name": workers.copied(same_name=True),
    "connector copied, other name": workers.copied(same_name=False),
    "JournalNode killed": storage.journal_killed,
}


def schedule(rng, count):
    """That many faults in an order; of those that take long one at most."""
    names = list(FAULTS)
    random.Random(rng.random()).shuffle(names)
    chosen, seen = [], set()
    for name in names:
        kind = "NameNode" if "NameNode killed" in name else "copy" if "copied" in name else name
        if kind not in seen and len(chosen) < count:
            chosen.append(name)
            seen.add(kind)
    return chosen
