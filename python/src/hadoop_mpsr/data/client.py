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
"""The way in: a cluster, by the web servers of its NameNodes."""

from collections.abc import Sequence
from typing import Any

from hadoop_mpsr import hadoop_conf
from hadoop_mpsr.data.dataset import Dataset
from hadoop_mpsr.data.footers import Footers
from hadoop_mpsr.data.plan import Api
from hadoop_mpsr.webhdfs import client
from hadoop_mpsr.webhdfs.caller import Caller
from hadoop_mpsr.webhdfs.client import WebHdfs
from hadoop_mpsr.webhdfs.namenodes import NameNodes

_SCHEME = "hdfs://"


class Cluster:
    """A cluster with MPSR. Safe for use by several threads."""

    def __init__(self, addresses: Sequence[str], caller: Caller, verify: bool | str | None, patience_seconds: float):
        """As hadoop_mpsr.open() makes it."""
        session = client.new_session(verify)
        self._api = Api(NameNodes(addresses, caller, session, patience_seconds))
        self._hdfs = WebHdfs(addresses, caller, session, patience_seconds)
        self._footers = Footers()

    def datasets(self, path: str = "/") -> list[Dataset]:
        """The datasets at or below a path that the caller may read, in the order of their paths."""
        return [Dataset(self._api, self._hdfs, self._footers, each) for each in self._api.datasets(path)]

    def dataset(self, path: str) -> Dataset:
        """The dataset at a path.

        Raises:
            NotADataset: There is none.
            Denied: The caller may not read it.
            NoAnswer: No NameNode answers.
        """
        return Dataset(self._api, self._hdfs, self._footers, self._api.dataset(path))

    def status(self) -> dict[str, Any]:
        """The state of MPSR, as docs/http.md has it."""
        return self._api.status()


def addresses_of(cluster: str | Sequence[str] | None) -> list[str]:
    """The roots of the NameNodes' web servers.

    Raises:
        ValueError: Nobody says where they are.
    """
    conf = hadoop_conf.load()
    if cluster is None:
        cluster = conf.get("fs.defaultFS", "")
    found = [each.strip() for each in (cluster.split(",") if isinstance(cluster, str) else cluster) if each.strip()]
    if len(found) == 1 and found[0].startswith(_SCHEME):
        service = found[0].removeprefix(_SCHEME).partition("/")[0]
        found = hadoop_conf.namenodes(conf, service)
    if not found or not all(each.startswith(("http://", "https://")) for each in found):
        raise ValueError(
            f"nobody says where the NameNodes of {cluster or 'the cluster'} are: give the addresses of their web servers, such as"
            " http://nn1:9870,http://nn2:9870, or let HADOOP_CONF_DIR name the directory of an hdfs-site.xml that has them"
        )
    return found
