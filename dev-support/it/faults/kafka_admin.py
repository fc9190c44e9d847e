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
"""What nobody but an administrator of Kafka does, in Kafka's own protocol: the distribution has no tools for it."""

import socket
import struct

from mpsr_launcher.errors import MpsrError

_DELETE_TOPICS, _DELETE_RECORDS = 20, 21
_TIMEOUT_MS = 30_000


def delete_topic(bootstrap, topic):
    """Deletes a topic."""
    answer = _ask(bootstrap, _DELETE_TOPICS, 1, struct.pack(">i", 1) + _text(topic) + struct.pack(">i", _TIMEOUT_MS))
    # throttle time, number of topics, name, error
    _check(struct.unpack_from(">h", answer, 4 + 4 + len(_text(topic)))[0], f"deleting topic {topic}")


def delete_records(bootstrap, topic, partition, before):
    """Deletes a partition's records before an offset, as retention does."""
    one = struct.pack(">iiq", 1, partition, before)
    answer = _ask(
        bootstrap, _DELETE_RECORDS, 0, struct.pack(">i", 1) + _text(topic) + one + struct.pack(">i", _TIMEOUT_MS)
    )
    # throttle time, number of topics, name, number of partitions, partition, low watermark, error
    at = 4 + 4 + len(_text(topic)) + 4 + 4 + 8
    _check(struct.unpack_from(">h", answer, at)[0], f"deleting records of {topic}-{partition} before {before}")


def _check(error, what):
    if error:
        raise MpsrError(f"{what}: Kafka answers with error {error}")


def _ask(bootstrap, api, version, body):
    host, port = bootstrap.split(":")
    request = struct.pack(">hhi", api, version, 1) + _text("faults") + body
    with socket.create_connection((host, int(port)), 60) as broker:
        broker.sendall(struct.pack(">i", len(request)) + request)
        with broker.makefile("rb") as answers:
            return answers.read(struct.unpack(">i", answers.read(4))[0])[4:]


def _text(text):
    return struct.pack(">h", len(text)) + text.encode()
