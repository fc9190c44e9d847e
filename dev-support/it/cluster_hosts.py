# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""For programs of tests without a JVM: finds the DataNodes of a cluster on this machine, whose names only its processes know."""

import socket


def know(file):
    """From now on this process knows the names of a file such as /etc/hosts."""
    with open(file, encoding="utf-8") as lines:
        addresses = {name: address for address, *names in map(str.split, lines) for name in names}
    by_name, by_address = socket.gethostbyname, socket.getaddrinfo
    socket.gethostbyname = lambda host: by_name(addresses.get(host, host))
    socket.getaddrinfo = lambda host, *others, **named: by_address(addresses.get(host, host), *others, **named)
