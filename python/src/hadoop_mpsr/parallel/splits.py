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
"""Files, and the hosts that hold them."""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

_HOSTS = "user.mpsr.hosts"


@dataclass(frozen=True)
class Split:
    """What one process is to read: a file, or a part of one.

    ``local`` has the bytes on each host that holds some of it, by the name that HDFS has for the host.
    """

    path: str
    size: int
    local: Mapping[str, int] = field(default_factory=dict)

    def on(self, host):
        """The bytes of it that lie on a host."""
        return min(self.local.get(host, 0), self.size)


def split(path):
    """A file as a split.

    Nothing is known of where it lies if the file is not below a mount of HDFS: then ``local`` is empty.

    Raises OSError if the file cannot be found, or HDFS does not answer.
    """
    path = os.fspath(path)
    size = os.stat(path).st_size
    try:
        lines = os.getxattr(path, _HOSTS).decode().splitlines()
    except OSError as error:
        if error.errno not in (errno.ENODATA, errno.EOPNOTSUPP):
            raise
        lines = []
    return Split(path, size, {host: int(held) for host, _, held in (line.partition(" ") for line in lines)})
