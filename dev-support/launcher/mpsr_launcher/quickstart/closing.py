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
"""The last words of a quickstart: what it has shown, and what to try next."""

from mpsr_launcher import tables


def what_was_shown(groups, queries):
    """Three sentences."""
    records = max((group["records"] for group in groups.values()), default=0)
    stock, mpsr = (sum(getattr(query, side)["files"] for query in queries) for side in ("stock", "mpsr"))
    return (
        f"{tables.plain(records)} records went from Kafka into {len(groups)} copies; each copy is partitioned differently, and all"
        " hold the same records.\n"
        f"The same {len(queries)} Spark queries gave the same answers without MPSR and with it, and read"
        f" {tables.plain(stock)} files without it, {tables.plain(mpsr)} with it.\n"
        "Next, ask queries of your own with 'bin/mpsr quickstart --keep', or install MPSR on your Hadoop as docs/deploy.md says."
    )


def while_it_is_up(cluster, gateway, dataset, signal):
    """What can be tried on a cluster that is kept, with a gateway at an address; ``signal`` is one that the dataset has."""
    name = f"MPSR_CLUSTER={cluster.name} " if cluster.name != "quickstart" else ""
    source = f"FROM parquet.\\`{dataset}\\` WHERE signal = '{signal}'"
    return f"""
The cluster stays up:
  the web page      http://127.0.0.1:{cluster.state.ports["namenode.http"]}/mpsr.html
  ask a query       {name}bin/mpsr spark-sql -e "SELECT count(*), avg(value) {source}"
  see what it read  {name}bin/mpsr spark-sql -e "EXPLAIN SELECT avg(value) {source}"
  the groups        {name}bin/mpsr groups
  Iceberg clients   {gateway} has the table {dataset[1:].replace("/", ".")}; docs/catalog.md says how they read it
  stop it           {name}bin/mpsr cluster stop"""
