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
"""Requests of administrators and producers in Kafka's own protocol: the distribution has no tools for them."""

import socket
import struct
import time

from mpsr_launcher import waiting
from mpsr_launcher.errors import MpsrError

_PRODUCE, _FETCH, _CREATE_TOPICS, _DELETE_TOPICS, _DELETE_RECORDS = 0, 1, 19, 20, 21
_TIMEOUT_MS = 30_000
_FETCH_BYTES = 8 << 20
# The bytes of a batch before its records: the last four are the number of records
_BATCH_HEAD = 61
_CRC32C = 0x82F63B78
# Unknown topic or partition, leader not available, not the leader: the broker has taken nothing
_LEADERLESS = (3, 5, 6)
_LEADER_SECONDS = 30


def create_topic(bootstrap, topic, partitions, settings=None):
    """Creates a topic; settings are keys of the topic and their values."""
    settings = settings or {}
    one = _text(topic) + struct.pack(">ihii", partitions, 1, 0, len(settings))
    one += b"".join(_text(key) + _text(value) for key, value in settings.items())
    answer = _ask(bootstrap, _CREATE_TOPICS, 2, struct.pack(">i", 1) + one + struct.pack(">i?", _TIMEOUT_MS, False))
    # throttle time, number of topics, name, error
    _check(struct.unpack_from(">h", answer, 8 + len(_text(topic)))[0], f"creating topic {topic}")


def delete_topic(bootstrap, topic):
    """Deletes a topic."""
    answer = _ask(bootstrap, _DELETE_TOPICS, 1, struct.pack(">i", 1) + _text(topic) + struct.pack(">i", _TIMEOUT_MS))
    # throttle time, number of topics, name, error
    _check(struct.unpack_from(">h", answer, 8 + len(_text(topic)))[0], f"deleting topic {topic}")


def delete_records(bootstrap, topic, partition, before):
    """Deletes a partition's records before an offset, as retention does."""
    one = _text(topic) + struct.pack(">iiq", 1, partition, before)
    answer = _ask(bootstrap, _DELETE_RECORDS, 0, struct.pack(">i", 1) + one + struct.pack(">i", _TIMEOUT_MS))
    # throttle time, number of topics, name, number of partitions, partition, low watermark, error
    at = 8 + len(_text(topic)) + 4 + 4 + 8
    _check(struct.unpack_from(">h", answer, at)[0], f"deleting records of {topic}-{partition} before {before}")


def produce(bootstrap, topic, messages, partition=0):
    """Sends messages, which are bytes or None, without keys in one batch.

    Waits for the leader that a new topic's partition lacks.
    """
    batch = _batch(messages)
    # no transaction, all acknowledgements, one topic with one partition
    body = struct.pack(">hhii", -1, -1, _TIMEOUT_MS, 1) + _text(topic) + struct.pack(">iii", 1, partition, len(batch))
    body += batch

    def is_taken():
        answer = _ask(bootstrap, _PRODUCE, 3, body)
        # number of topics, name, number of partitions, partition, error
        error = struct.unpack_from(">h", answer, 4 + len(_text(topic)) + 8)[0]
        if error not in _LEADERLESS:
            _check(error, f"sending to {topic}")
        return not error

    waiting.until(is_taken, f"the leader of {topic}-{partition}", _LEADER_SECONDS)


def headers(bootstrap, topic, partition=0):
    """The headers of all records of a partition, a mapping of names to bytes each. Batches must not be compressed."""
    found, offset, end = [], 0, None
    while end is None or offset < end:
        # no replica, longest wait, bytes to wait for and most bytes, all records, one topic with one partition
        body = struct.pack(">iiiibi", -1, 500, 1, _FETCH_BYTES, 0, 1) + _text(topic)
        answer = _ask(bootstrap, _FETCH, 4, body + struct.pack(">iiqi", 1, partition, offset, _FETCH_BYTES))
        # throttle time, number of topics, name, number of partitions, partition
        at = 8 + len(_text(topic)) + 8
        # error, end, last stable offset, number of aborted transactions (none: -1 or 0), bytes of batches
        error, end, _, _, size = struct.unpack_from(">hqqii", answer, at)
        _check(error, f"reading {topic}-{partition} from {offset}")
        batches = answer[at + 26 : at + 26 + size]
        while len(batches) >= _BATCH_HEAD:
            first, length = struct.unpack_from(">qi", batches)
            batch, batches = batches[: 12 + length], batches[12 + length :]
            if len(batch) == 12 + length:
                offset = first + struct.unpack_from(">i", batch, 23)[0] + 1
                found += _headers_of(batch)
    return found


def _headers_of(batch):
    """The headers of each record of a batch."""
    read = _Reader(batch, _BATCH_HEAD)
    for _ in range(struct.unpack_from(">i", batch, _BATCH_HEAD - 4)[0]):
        read.number()  # length
        read.bytes(1)  # attributes
        read.number()  # time
        read.number()  # offset
        read.sized()  # key
        read.sized()  # value
        yield {read.sized().decode(): read.sized() for _ in range(read.number())}


class _Reader:
    """Reads the numbers and bytes of records."""

    def __init__(self, data, at):
        self._data = data
        self._at = at

    def bytes(self, count):
        """So many bytes."""
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self):
        """A number of variable length, written zigzag."""
        value = shift = 0
        while True:
            byte = self.bytes(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value >> 1 ^ -(value & 1)

    def sized(self):
        """Bytes with their length in front; None for a length below 0."""
        length = self.number()
        return None if length < 0 else self.bytes(length)


def _batch(values):
    records = b"".join(_record(number, value) for number, value in enumerate(values))
    now_ms = int(time.time() * 1000)  # Kafka deletes what is older than its retention
    # attributes, last offset delta, first and last time, producer id and epoch, first sequence number, number of records
    body = struct.pack(">hiqqqhii", 0, len(values) - 1, now_ms, now_ms, -1, -1, -1, len(values)) + records
    # leader epoch, version of the format, checksum
    body = struct.pack(">ibI", -1, 2, _crc32c(body)) + body
    return struct.pack(">qi", 0, len(body)) + body


def _record(number, value):
    # attributes, time delta, offset delta, no key, value, no headers
    sized = _varint(-1) if value is None else _varint(len(value)) + value
    body = b"\0\0" + _varint(number) + _varint(-1) + sized + _varint(0)
    return _varint(len(body)) + body


def _varint(number):
    rest, out = (number << 1) ^ (number >> 63), bytearray()
    while rest > 127:
        out.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*out, rest])


def _crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ _CRC_TABLE[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF


def _crc_entry(value):
    for _ in range(8):
        value = value >> 1 ^ (_CRC32C if value & 1 else 0)
    return value


_CRC_TABLE = [_crc_entry(byte) for byte in range(256)]


def _check(error, what):
    if error:
        raise MpsrError(f"{what}: Kafka answers with error {error}")


def _ask(bootstrap, api, version, body):
    host, port = bootstrap.split(":")
    request = struct.pack(">hhi", api, version, 1) + _text("mpsr-it") + body
    with socket.create_connection((host, int(port)), 60) as broker:
        broker.sendall(struct.pack(">i", len(request)) + request)
        with broker.makefile("rb") as answers:
            return answers.read(struct.unpack(">i", answers.read(4))[0])[4:]


def _text(text):
    return struct.pack(">h", len(text)) + text.encode()
