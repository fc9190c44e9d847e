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
"""Sends readings to a topic, in the background, for as long as faults are done."""

import random
import struct
import threading
from dataclasses import dataclass

import kafka_requests
from mpsr_launcher.errors import MpsrError

PARTITIONS = 4
BATCH = 50
COLUMNS = ("signal", "device", "system", "timestamp_ns", "value")
_START_NS = 1_493_596_800_000_000_000
_STEP_NS = 1_000_000
_DAY_NS = 86_400 * 10**9
_LATE, _DUPLICATE, _NULL = 0.02, 0.02, 0.05
# As many as one request to the broker takes, and too many for a request to the dead letter queue, which adds headers
_OVERSIZED = b"\xff" * 1_048_000


@dataclass(frozen=True)
class Mix:
    """What comes between readings: the share of messages that are poison, and of those that a transformation drops."""

    poison: float = 0
    dropped: float = 0


class Sender:
    """The readings are the same for a seed; how many are sent depends on how long it goes on. Some come late, some twice,
    some have no value. ``sent`` holds them, ``ends`` counts all messages, and ``poisoned`` holds partition and offset of
    those that no decoder can read. Safe for use by two threads."""

    def __init__(self, bootstrap, topic, seed, mix=Mix()):
        self._bootstrap = bootstrap
        self._topic = topic
        self._rng = random.Random(seed)
        self._mix = mix
        self._mix_rng = random.Random(seed)
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = None
        self._failure = None
        self._time_ns = _START_NS
        self.sent = []
        self.poisoned = set()
        self.dropped = 0
        self.ends = dict.fromkeys(range(PARTITIONS), 0)

    def create_topic(self):
        """Creates the topic."""
        kafka_requests.create_topic(self._bootstrap, self._topic, PARTITIONS)

    def send(self, count):
        """Sends at least that many readings now."""
        target = len(self.sent) + count
        while len(self.sent) < target:
            self._send_batch()

    def send_oversized(self):
        """Sends a message that no decoder can read, and that is too large for the dead letter queue.

        Returns its partition and offset.
        """
        with self._lock:
            place = (0, self.ends[0])
            self._produce(0, [_OVERSIZED])
            self.poisoned.add(place)
            return place

    def fill(self, ends):
        """Sends as many readings to each partition as a mapping says."""
        for partition, end in ends.items():
            for start in range(0, end, BATCH):
                self._send_batch(partition, min(BATCH, end - start))

    def start(self, rate):
        """Sends so many a second until told to stop."""
        self._thread = threading.Thread(target=self._run, args=(BATCH / rate,), daemon=True)
        self._thread.start()

    def stop(self):
        """Stops; raises when not all could be sent."""
        self._ended.set()
        if self._thread:
            self._thread.join()
        if self._failure:
            raise MpsrError(f"the sender failed: {self._failure}")

    def columns(self):
        """What was sent, by column."""
        return {name: [row[at] for row in self.sent] for at, name in enumerate(COLUMNS)}

    def _run(self, pause_s):
        try:
            while not self._ended.wait(pause_s):
                self._send_batch()
        except (OSError, MpsrError) as error:
            self._failure = error

    def _send_batch(self, partition=None, count=BATCH):
        with self._lock:
            if partition is None:
                partition = self._rng.randrange(PARTITIONS)
            rows, poisoned, messages = [], set(), []
            for offset in range(self.ends[partition], self.ends[partition] + count):
                kind = self._mix_rng.random()
                if kind < self._mix.poison:
                    poisoned.add((partition, offset))
                    messages.append(_poison(self._mix_rng, self._row()))
                elif kind < self._mix.poison + self._mix.dropped:
                    messages.append(None)
                else:
                    rows.append(self._row())
                    messages.append(_message(rows[-1]))
            self._produce(partition, messages)
            self.sent += rows
            self.poisoned |= poisoned
            self.dropped += messages.count(None)

    def _produce(self, partition, messages):
        kafka_requests.produce(self._bootstrap, self._topic, messages, partition)
        self.ends[partition] += len(messages)

    def _row(self):
        rng = self._rng
        if self.sent and rng.random() < _DUPLICATE:
            return rng.choice(self.sent[-500:])
        number = rng.randrange(8)
        self._time_ns += _STEP_NS
        time_ns = self._time_ns - (rng.randrange(_DAY_NS) if rng.random() < _LATE else 0)
        value = None if rng.random() < _NULL else rng.gauss(0, 100)
        return (f"S{number}", f"D{number % 4}", f"X{number % 2}", time_ns, value)


def _message(row):
    """A row as the message of benchmarks/data/measurement.proto."""
    texts = b"".join(bytes([number << 3 | 2, len(text)]) + text.encode() for number, text in enumerate(row[:3], 1))
    value = b"" if row[4] is None else b"\x29" + struct.pack("<d", row[4])
    return texts + b"\x20" + _varint(row[3]) + value


def _poison(rng, row):
    """A message that must not be stored, and must not stop the sink."""
    reading = _message(row)
    return rng.choice((
        b"\xff" * rng.randrange(1, 100),
        b"\x0a" + _varint(2_000_000_000) + b"x",  # a string that claims far more bytes than there are
        b"\x33" * 50_000,  # groups in groups
        reading[:-3],
        b"\x0a\x02\xc0\xaf" + reading[2 + len(row[0]) :],  # UTF-8 that is longer than it may be
    ))


def _varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])
