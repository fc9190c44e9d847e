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
"""Hadoop's configuration files, as far as clients without a JVM need them."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

DIRECTORY = "HADOOP_CONF_DIR"
"""The environment variable that names the directory with the configuration files."""


def load(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The properties of core-site.xml and hdfs-site.xml in the directory that HADOOP_CONF_DIR names; none without it.

    Raises:
        ValueError: A file is there, and is no configuration file.
    """
    found: dict[str, str] = {}
    directory = environ.get(DIRECTORY)
    for name in ("core-site.xml", "hdfs-site.xml") if directory else ():
        file = Path(directory) / name
        if file.is_file():
            found.update(_properties(file))
    return {name: re.sub(r"\$\{([^}]+)}", lambda match: found.get(match[1], match[0]), value) for name, value in found.items()}


def _properties(file: Path) -> dict[str, str]:
    try:
        root = ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise ValueError(
            f"{file} is no configuration file of Hadoop ({error}): correct it, or let {DIRECTORY} name another"
        ) from None
    pairs = ((each.findtext("name") or "", each.findtext("value") or "") for each in root.findall("property"))
    return {name.strip(): value.strip() for name, value in pairs}


def namenodes(conf: Mapping[str, str], service: str) -> list[str]:
    """The roots of the web servers of a name service's NameNodes, such as ``http://nn1:9870``; none that are not configured.

    Args:
        conf: Properties of Hadoop.
        service: What stands in the place of the host in locations: a name service, or host and port of a NameNode.
    """
    if service in _listed(conf, "dfs.nameservices"):
        numbers = _listed(conf, f"dfs.ha.namenodes.{service}")
        endings = [f".{service}.{number}" for number in numbers] or [f".{service}"]
    else:
        endings = [ending for ending in _endings(conf) if service == _rpc(conf, ending)]
        endings += [""] if service == _default(conf) else []
    scheme = "https" if conf.get("dfs.http.policy", "").upper() == "HTTPS_ONLY" else "http"
    found = []
    for ending in endings:
        address = conf.get(f"dfs.namenode.{scheme}-address{ending}")
        if address:
            host, _, port = address.rpartition(":")
            if host in ("0.0.0.0", "[::]"):
                host = (_rpc(conf, ending) or service).partition(":")[0]
            found.append(f"{scheme}://{host}:{port}")
    return list(dict.fromkeys(found))


def _rpc(conf: Mapping[str, str], ending: str) -> str:
    return conf.get(f"dfs.namenode.rpc-address{ending}", "")


def _endings(conf: Mapping[str, str]) -> list[str]:
    prefix = "dfs.namenode.rpc-address"
    return [name.removeprefix(prefix) for name in conf if name == prefix or name.startswith(f"{prefix}.")]


def _default(conf: Mapping[str, str]) -> str:
    return conf.get("fs.defaultFS", "").removeprefix("hdfs://").rstrip("/")


def _listed(conf: Mapping[str, str], name: str) -> list[str]:
    return [each.strip() for each in conf.get(name, "").split(",") if each.strip()]
