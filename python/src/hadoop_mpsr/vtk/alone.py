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
"""A program without MPI."""


class Alone:
    """The only rank, in place of a communicator."""

    rank = 0
    size = 1

    @staticmethod
    def allgather(value):
        """What all ranks have."""
        return [value]

    @staticmethod
    def gather(value):
        """What all ranks have."""
        return [value]

    @staticmethod
    def bcast(value):
        """What rank 0 has."""
        return value
