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
"""Reads datasets of hadoop-mpsr in Python, without a JVM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hadoop_mpsr.errors import Denied, FilesGone, MpsrError, NoAnswer, NotADataset, Refused, Unplannable
from hadoop_mpsr.tokens import delegation_token
from hadoop_mpsr.webhdfs.caller import Caller

if TYPE_CHECKING:
    from hadoop_mpsr.data.client import Cluster

__all__ = [
    "Denied",
    "FilesGone",
    "MpsrError",
    "NoAnswer",
    "NotADataset",
    "Refused",
    "Unplannable",
    "delegation_token",
    "open",
]


def open(
    cluster: str | Sequence[str] | None = None,
    *,
    token: str | None = None,
    user: str | None = None,
    kerberos: bool = False,
    verify: bool | str | None = None,
    patience_seconds: float = 30.0,
) -> Cluster:
    """A cluster with MPSR. Nothing is asked of it yet. Needs the extra ``arrow`` of the package.

    Args:
        cluster: The web server of the NameNode, such as ``http://nn:9870``; those of several, as a list or with commas; or
            ``hdfs://service``, whose NameNodes the configuration in HADOOP_CONF_DIR has. None for the default of that configuration.
        token: A delegation token, as delegation_token() reads it from a file.
        user: The user on a cluster without Kerberos; None for that of this process.
        kerberos: Whether the ticket of this process says who asks, as kinit or KRB5_CLIENT_KTNAME give it.
        verify: A file with certificates of authorities for https; None for those of the system.
        patience_seconds: So long a request is made again if all servers fail, as during a failover.

    Raises:
        ValueError: Nobody says where the NameNodes are, or several things say who asks.
    """
    from hadoop_mpsr.data import client  # needs pyarrow, which readers of files alone do not

    return client.Cluster(client.addresses_of(cluster), Caller.of(token, user, kerberos), verify, patience_seconds)
