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
"""What must hold when an ingest has come through its faults."""

import contextlib
import json
import shutil
import subprocess
from pathlib import Path

import shared
from mpsr_launcher.cluster.webhdfs import WebHdfs
from mpsr_launcher.errors import MpsrError

DEFAULT_GROUP = "time"
GROUPS = ("device", "signal", "time")


def problems(scene):
    """All that is wrong, a line each; empty when every record is in every group exactly once, or a dead letter."""
    shown = scene.show()
    found = []
    ends = {offset["partition"]: offset["end"] for offset in shown["offsets"] if offset["topic"] == scene.name}
    sent = {partition: end for partition, end in scene.sender.ends.items() if end}
    if ends != sent or ends != scene.ends():
        found.append(f"committed offsets {ends}, records in HDFS {scene.ends()}, sent {sent}")
    groups = shown["groups"]
    if tuple(sorted(groups)) != GROUPS or {group["records"] for group in groups.values()} != {len(scene.sender.sent)}:
        found.append(f"records by group { {name: group['records'] for name, group in groups.items()} }")
    if len({group["contentHash"] for group in groups.values()}) != 1:
        found.append(f"content hashes differ: { {name: group['contentHash'] for name, group in groups.items()} }")
    found += [f"{name}: {problem}" for name, problem in _read_back(scene).items()]
    dead = scene.dead_letters()
    if dead != scene.sender.poisoned:
        lost, more = sorted(scene.sender.poisoned - dead)[:3], sorted(dead - scene.sender.poisoned)[:3]
        found.append(f"{len(dead)} dead letters, {len(scene.sender.poisoned)} sent; lost {lost}, too many {more}")
    if scene.cluster.nodes_of_groups() != scene.nodes:
        found.append(f"nodes of the groups were {scene.nodes} and are {scene.cluster.nodes_of_groups()}")
    if shared.listing(f"/.mpsr/datasets/{scene.id}/publishing", scene.cluster):
        found.append("a commit stays published and not complete")
    return found


def content(scene):
    """What the dataset holds: its offsets, and the number of records and the content hash of each group."""
    shown = scene.show()
    return shown["offsets"], {n: (group["records"], group["contentHash"]) for n, group in shown["groups"].items()}


def staged(scene):
    """The commits whose staged files are left."""
    return shared.listing(f"/.mpsr/datasets/{scene.id}/staging", scene.cluster)


def _read_back(scene):
    """What PyArrow finds wrong with each group's files."""
    local = scene.directory / "back"
    local.mkdir()
    try:
        store = f"/.mpsr/datasets/{scene.id}"
        hdfs = WebHdfs(scene.cluster)
        for group in GROUPS:
            hdfs.fetch(scene.dataset if group == DEFAULT_GROUP else f"{store}/{group}", local / group)
        python = scene.cluster.checkout.work / "readers" / "bin" / "python"
        script = Path(__file__).with_name("read_back.py")
        arguments = [f"{group}={local / group}" for group in GROUPS]
        expected = scene.directory / "expected.json"
        expected.write_text(json.dumps(scene.sender.columns()), encoding="utf-8")
        return json.loads(_run([str(python), str(script), str(expected), *arguments]))
    finally:
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(local)


def _run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MpsrError(f"'{' '.join(command[-8:])}' ended with {done.returncode}: {done.stderr[-3000:]}")
    return done.stdout
