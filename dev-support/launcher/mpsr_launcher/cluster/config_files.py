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
"""Renders the configuration of a run from the templates in conf/."""

import getpass
import re
import socket
import xml.etree.ElementTree as ElementTree

from mpsr_launcher.cluster.state import LOOPBACK
from mpsr_launcher.errors import MpsrError


def write_all(checkout, state, conf, data, hdfs=None):
    """Writes the configuration directory of a cluster: HDFS, Kafka, Connect; and one directory each for Spark with
    MPSR (spark) and without (spark-stock). The properties that the state holds, and those of ``hdfs``, replace the templates'."""
    values = _values(checkout, state, conf, data)
    local = checkout.conf / "local"
    conf.mkdir(parents=True, exist_ok=True)
    _write(conf / "core-site.xml", merged_site([local / "core-site.xml"], values))
    sites = [checkout.conf / "hdfs-site.xml", local / "hdfs-site.xml"]
    if state.ha:
        sites.append(local / "hdfs-site-ha.xml")
    _write(conf / "hdfs-site.xml", merged_site(sites, values, {**state.properties, **(hdfs or {})}))
    for name in ("log4j.properties", "log4j2.xml", "server.properties", "connect-distributed.properties"):
        _write(conf / name, filled((local / name).read_text(encoding="utf-8"), values))
    _write(conf / "hosts", _hosts(state))
    _write(conf / "topology.table", _racks(state.datanodes, state.racks))
    mpsr, common = (filled((local / n).read_text(encoding="utf-8"), values) for n in _SPARK)
    _spark(conf / "spark", mpsr + common, local)
    _spark(conf / "spark-stock", common, local)


_SPARK = ("spark-defaults.conf", "spark-local.conf")
GROUPS = "dfs.mpsr.replica.groups"
OF_GROUPS = ("dfs.mpsr.replica.group.", "dfs.mpsr.default.group")


def filled(text, values):
    """Replaces each @name@ by its value; an unknown name is an error in a template."""

    def value(match):
        if match.group(1) not in values:
            raise MpsrError(f"a template in conf/local names @{match.group(1)}@; there are {sorted(values)}")
        return str(values[match.group(1)])

    return re.sub(r"@([a-z][a-z0-9.]*)@", value, text)


def merged_site(files, values, others=None):
    """The properties of several Hadoop site files in one; a later file wins, and ``others`` over all.

    Where ``others`` names the replica groups, nothing that the files say of groups counts.
    """
    properties, others = {}, others or {}
    for file in files:
        properties.update({name: filled(text, values) for name, text in site_properties(file).items()})
    if GROUPS in others:
        properties = {name: text for name, text in properties.items() if not name.startswith(OF_GROUPS)}
    return site({**properties, **others})


def site_properties(file):
    """The properties of a Hadoop site file; one that cannot be read as such raises ParseError or OSError."""
    found = ElementTree.parse(file).getroot().findall("property")
    return {each.findtext("name"): each.findtext("value") or "" for each in found}


def site(properties):
    """The text of a Hadoop site file."""
    root = ElementTree.Element("configuration")
    for name, text in properties.items():
        element = ElementTree.SubElement(root, "property")
        ElementTree.SubElement(element, "name").text = name
        ElementTree.SubElement(element, "value").text = str(text)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def host(number):
    """The host name of the DataNode with this number, from 1."""
    return f"dn{number}.mpsr.local"


def _values(checkout, state, conf, data):
    values = {
        "fs.uri": state.fs_uri,
        "address": state.address,
        "conf": conf,
        "data": data,
        "dist": checkout.dist,
        "spark.jar": checkout.spark_jar(),
        "user": getpass.getuser(),
    }
    values.update({f"port.{name}": port for name, port in state.ports.items()})
    return values


def _hosts(state):
    lines = [f"{LOOPBACK} localhost\n", f"{state.address} {socket.gethostname()}\n"]
    return "".join(lines + [f"{state.node_address(number)} {host(number)}\n" for number in range(1, state.datanodes + 1)])


def _racks(datanodes, racks):
    return "".join(f"{host(number)} /rack{(number - 1) % racks + 1}\n" for number in range(1, datanodes + 1))


def _spark(directory, defaults, local):
    directory.mkdir(exist_ok=True)
    _write(directory / "spark-defaults.conf", defaults)
    _write(directory / "log4j2.properties", (local / "spark-log4j2.properties").read_text(encoding="utf-8"))


def _write(path, text):
    path.write_text(text, encoding="utf-8")
