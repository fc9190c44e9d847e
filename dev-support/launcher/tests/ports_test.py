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
import random
import socket
import unittest

from mpsr_launcher.cluster import ports


class PortsTest(unittest.TestCase):
    def test_free_ports_are_distinct_in_range_and_free(self):
        seed = random.randrange(2**32)
        found = ports.free_ports(50, random.Random(seed))
        self.assertEqual(len(set(found)), 50, f"seed {seed}")
        self.assertTrue(all(ports.LOWEST <= port < ports.HIGHEST for port in found), f"seed {seed}")

    def test_ports_are_given_once(self):
        first = ports.free_ports(50, random.Random(1))
        self.assertFalse(set(first) & set(ports.free_ports(50, random.Random(1))))

    def test_a_port_that_is_listened_on_is_not_free_and_not_chosen(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            taken = server.getsockname()[1]
            self.assertFalse(ports.is_free(taken))
            self.assertTrue(ports.answers(taken))

            class Stubborn(random.Random):
                def shuffle(self, candidates):
                    candidates.append(taken)  # It would be taken first.

            self.assertNotIn(taken, ports.free_ports(3, Stubborn()))
        self.assertTrue(ports.is_free(taken))
        self.assertFalse(ports.answers(taken))
