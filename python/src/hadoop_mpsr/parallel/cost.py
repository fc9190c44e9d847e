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
"""What a read costs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadCost:
    """The time of a read, after Ng et al., "VisDSI: Locality Aware I/O Solution for Large Scale Data Visualization".

    A host reads from its own disks in ``disk_prepare_ms + bytes / disk_bytes_per_ms``. What comes from another host takes
    ``network_prepare_ms + bytes / network_bytes_per_ms`` in addition. The defaults are those of ``dfs.mpsr.cost.*``;
    ``hdfs mpsr calibrate`` measures those of a cluster.
    """

    disk_prepare_ms: float = 2.0
    disk_bytes_per_ms: float = 200_000.0
    network_prepare_ms: float = 1.0
    network_bytes_per_ms: float = 110_000.0

    def __post_init__(self):
        if not (self.disk_prepare_ms >= 0 and self.network_prepare_ms >= 0):
            raise ValueError(f"a time is negative in {self}; give milliseconds from 0")
        if not (self.disk_bytes_per_ms > 0 and self.network_bytes_per_ms > 0):
            raise ValueError(f"a rate is not above 0 in {self}; give bytes per millisecond")

    def ms(self, size, local):
        """The milliseconds to read ``size`` bytes, of which ``local`` lie on the host itself."""
        own = self.disk_prepare_ms + size / self.disk_bytes_per_ms
        remote = size - local
        return own if remote <= 0 else own + self.network_prepare_ms + remote / self.network_bytes_per_ms
