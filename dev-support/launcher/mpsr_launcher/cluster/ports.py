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
"""Free ports on loopback."""

import random
import socket

# Below the range that Linux gives to outgoing connections, so that a port stays free until its process binds it.
LOWEST, HIGHEST = 20000, 32000

_given = set()


def free_ports(count, rng=random):
    """Returns that many distinct ports on which nobody listens on 127.0.0.1 now, and which this process was not given before."""
    found = []
    candidates = list(range(LOWEST, HIGHEST))
    rng.shuffle(candidates)
    while len(found) < count:
        port = candidates.pop()
        if port not in _given and is_free(port):
            found.append(port)
            _given.add(port)
    return found


def is_free(port):
    """Whether the port can be bound on 127.0.0.1."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            return True
        except OSError:
            return False


def answers(port):
    """Whether a process accepts connections on the port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
