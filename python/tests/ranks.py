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
"""Ranks of a parallel program as threads of one process."""

import threading
from unittest import mock


class Ranks:
    """A communicator whose ranks are threads."""

    def __init__(self, size):
        self.size = size
        self._barrier = threading.Barrier(size, timeout=60)
        self._values = [None] * size

    def of(self, rank):
        """The communicator as a rank has it."""
        return mock.Mock(
            rank=rank,
            size=self.size,
            allgather=lambda value: self._exchange(rank, value),
            bcast=lambda value: self._exchange(rank, value)[0],
            gather=lambda value: values if (values := self._exchange(rank, value)) and rank == 0 else None,
        )

    def _exchange(self, rank, value):
        self._values[rank] = value
        self._barrier.wait()
        values = list(self._values)
        self._barrier.wait()
        return values

    def run(self, action):
        """What the action returns, or raises, with each rank's communicator."""
        results = [None] * self.size

        def one(rank):
            try:
                results[rank] = action(self.of(rank))
            except Exception as error:  # noqa: BLE001
                results[rank] = error

        threads = [threading.Thread(target=one, args=(rank,)) for rank in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results
