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
"""bin/mpsr cluster."""

import json
import os
from pathlib import Path
from xml.etree import ElementTree

from mpsr_launcher.checkout.build import ensure_built
from mpsr_launcher.checkout.setup import ensure_venv
from mpsr_launcher.cli.json_output import json_output
from mpsr_launcher.cluster.cluster import DEFAULT_NAME, Cluster, cluster_names
from mpsr_launcher.cluster.config_files import GROUPS, site_properties
from mpsr_launcher.errors import MpsrError
from mpsr_launcher.printable import printable_lines
from mpsr_launcher.pids import end, java_processes


def run(checkout, console, arguments):
    """bin/mpsr cluster."""
    return {"start": _start, "stop": _stop, "status": _status, "logs": _logs}[arguments.action](
        checkout, console, arguments
    )


def _name():
    return os.environ.get("MPSR_CLUSTER")


def _start(checkout, console, arguments):
    cluster = Cluster(checkout, _name() or DEFAULT_NAME)
    cluster.refuse_second_start()  # before a build, which may take long
    ensure_venv(checkout, console)
    ensure_built(checkout, console)
    strays = _strays(checkout, [Cluster(checkout, name) for name in cluster_names(checkout)])
    if strays:
        raise MpsrError(
            f"{len(strays)} processes of a deleted cluster still run ({strays}): 'bin/mpsr cluster stop' ends them"
        )
    if arguments.groups or arguments.properties:
        cluster.configure(_properties(arguments))
    with console.beating():
        beside = {"maintain": arguments.maintain, "catalog": arguments.catalog}
        cluster.start(console, arguments.datanodes, arguments.racks, ha=arguments.ha, **beside)
    return 0


def _properties(arguments):
    """The properties of --groups' file, and over them those of -D."""
    properties = {}
    if arguments.groups:
        try:
            properties.update(site_properties(arguments.groups))
        except (OSError, ElementTree.ParseError) as error:
            raise MpsrError(
                f"--groups {arguments.groups} holds no configuration: {error}. Give a file such as conf/hdfs-site.xml"
            ) from error
        if GROUPS not in properties:
            raise MpsrError(f"--groups {arguments.groups}: the property {GROUPS}, which names the groups, is missing")
    for text in arguments.properties:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise MpsrError(f"-D {text}: give a property of hdfs-site.xml as KEY=VALUE")
        properties[key] = value
    return properties


def _stop(checkout, console, arguments):
    clusters = _chosen(checkout)
    strays = [] if _name() else _strays(checkout, clusters)
    if not strays and not any(cluster.processes.alive() for cluster in clusters):
        console.say("nothing runs")
    for cluster in clusters:
        cluster.stop(console)
        if arguments.wipe:
            cluster.wipe()
    if strays:
        console.say(f"ending {len(strays)} processes of clusters whose directories are gone: {strays}")
        end(strays)
    return 0


def _chosen(checkout):
    """The cluster that MPSR_CLUSTER names, else all."""
    names = cluster_names(checkout)
    if _name() and _name() not in names:
        raise MpsrError(f"there is no cluster '{_name()}'; there are: {', '.join(names) or 'none'}")
    return [Cluster(checkout, name) for name in ([_name()] if _name() else names)]


def _strays(checkout, clusters):
    """Processes that were started for a cluster (in sessions of their own) and that no pid file names."""
    known = {cluster.processes.pid(name) for cluster in clusters for name in cluster.processes.names()}
    found = [pid for pid in java_processes(f"{checkout.run}/") if pid not in known]
    return [pid for pid in found if os.getsid(pid) == pid]


def _status(checkout, console, arguments):
    found = [_describe(cluster) for cluster in _chosen(checkout)]
    with json_output(arguments):
        if arguments.json:
            Path(arguments.json).write_text(json.dumps({"clusters": found}, indent=2) + "\n", encoding="utf-8")
        else:
            print("\n".join(_text(each) for each in found) or "no cluster: start one with 'bin/mpsr cluster start'")
    return 0 if any(each["running"] for each in found) else 1


def _describe(cluster):
    running = cluster.is_running()
    active = cluster.hdfs.active() if running else None
    return {
        "name": cluster.name,
        "running": running,
        "fileSystem": cluster.state.fs_uri,
        "web": f"http://127.0.0.1:{cluster.state.ports[(active or 'namenode') + '.http']}",
        "kafka": cluster.state.bootstrap,
        "connect": cluster.state.connect_url,
        "configuration": str(cluster.conf),
        "liveDataNodes": cluster.hdfs.live_nodes() if running else 0,
        "safeMode": bool(cluster.hdfs.safe_mode()) if running else False,
        "processes": {name: cluster.processes.pid(name) for name in cluster.processes.names()},
    }


def _text(found):
    processes = [f"  {name:<12}{pid or 'dead'}" for name, pid in found.pop("processes").items()]
    facts = [f"  {key:<14}{value}" for key, value in found.items() if key != "name"]
    return "\n".join([f"cluster '{found['name']}'", *facts, *processes])


def _logs(checkout, console, arguments):
    clusters = _chosen(checkout)
    shown = 0
    for cluster in clusters:
        for process in arguments.process or cluster.processes.logged():
            if process in cluster.processes.logged():
                print(f"==> {cluster.processes.log(process)}\n{printable_lines(cluster.processes.tail(process, arguments.lines))}")
                shown += 1
    if not shown:
        there = sorted({name for cluster in clusters for name in cluster.processes.logged()})
        asked = f" of {', '.join(arguments.process)}" if arguments.process else ""
        raise MpsrError(f"there is no log{asked}; there are: {', '.join(there) or 'none'}")
    return 0
