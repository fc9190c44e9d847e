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
"""What Spark says about the queries that it has run, from the REST interface that its web page uses too."""

import contextlib
import io
import json
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

FILES = ("number of files read", "number of result data files")


def last_execution(session):
    """The id of the session's newest SQL execution, -1 before the first."""
    return max((each["id"] for each in ask(session, "sql?details=false&length=100000")), default=-1)


def what_was_read(session, before):
    """What the executions after the given one have done: files and bytes read, tasks, CPU seconds of the tasks, and
    ``firstTask``, when the first of them began in seconds since the epoch (None without tasks)."""
    found = {"files": 0, "bytes": 0, "tasks": 0, "cpuSeconds": 0.0}
    begun = []
    for each in settled_executions(session, before):
        detail = ask(session, f"sql/{each['id']}?details=true&planDescription=false")
        for node in detail["nodes"]:
            if "Scan" in node["nodeName"]:
                metrics = {metric["name"]: metric["value"] for metric in node["metrics"]}
                found["files"] += sum(int(metrics.get(name, "0").replace(",", "")) for name in FILES)
        for job in each["successJobIds"]:
            for stage in ask(session, f"jobs/{job}")["stageIds"]:
                for attempt in _attempts(session, stage):
                    found["bytes"] += attempt["inputBytes"]
                    found["tasks"] += attempt["numCompleteTasks"]
                    found["cpuSeconds"] += attempt["executorCpuTime"] / 1e9
                    begun += [_seconds(attempt["firstTaskLaunchedTime"])] if "firstTaskLaunchedTime" in attempt else []
    found["cpuSeconds"] = round(found["cpuSeconds"], 4)
    return {**found, "firstTask": min(begun, default=None)}


def _attempts(session, stage):
    """The attempts of a stage; a skipped stage has none."""
    try:
        return ask(session, f"stages/{stage}?details=false")
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return []
        raise


def _seconds(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fGMT").replace(tzinfo=timezone.utc).timestamp()


def settled_executions(session, before, timeout_seconds=30):
    """The executions after the given one, once Spark's status store, which follows with a delay, shows their end."""
    deadline = time.monotonic() + timeout_seconds
    while time.monotonic() < deadline:
        found = [each for each in ask(session, "sql?details=false&length=100000") if each["id"] > before]
        if found and all(each["status"] == "COMPLETED" and not each["runningJobIds"] for each in found):
            return found
        time.sleep(0.05)
    raise RuntimeError(f"Spark's status store shows no end of the query within {timeout_seconds} s")


def ask(session, what):
    """Asks the REST interface."""
    context = session.sparkContext
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/{what}"
    with urllib.request.urlopen(url, timeout=30) as response:
        return json.load(response)


def scans(query, of=("FileScan",)):
    """The lines of EXPLAIN that name a scan."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        query.explain()
    lines = [line.strip(" :+-*()0123456789") for line in text.getvalue().splitlines()]
    # With adaptive execution EXPLAIN shows the final plan and the initial one.
    return list(dict.fromkeys(line for line in lines if any(word in line for word in of)))


def answer_lines(rows):
    """The rows as sorted lines of JSON: equal when the answers are."""
    return sorted(json.dumps(row.asDict(), default=str, sort_keys=True) for row in rows)
