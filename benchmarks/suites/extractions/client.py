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
"""A process with the Python client: extracts what a file asks for, and prints what each took as one JSON object.

The file has ``cluster``, ``user``, ``hosts`` (a file with the names of DataNodes), ``dataset`` and ``extractions``, each with a signal
and a range of times. ``every`` are the seconds between the begins of two; without it they follow one after the other. ``warm`` of them
are asked for first, and not measured.
"""

import json
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.suites.extractions.answers import digest

import hadoop_mpsr


def main(file):
    """Reads and prints."""
    asked = json.loads(Path(file).read_text(encoding="utf-8"))
    _know(asked["hosts"])
    dataset = hadoop_mpsr.open(asked["cluster"], user=asked["user"]).dataset(asked["dataset"])
    for extraction in asked["extractions"][: asked["warm"]]:
        _extract(dataset, extraction, time.monotonic())
    begun, cpu = time.monotonic(), time.process_time()
    if asked.get("every"):
        due = [begun + asked["every"] * number for number in range(len(asked["extractions"]))]
        with ThreadPoolExecutor(asked["threads"]) as pool:
            found = list(pool.map(lambda each: _extract(dataset, *each), zip(asked["extractions"], due, strict=True)))
    else:
        found = [_extract(dataset, extraction, time.monotonic()) for extraction in asked["extractions"]]
    print(json.dumps({"found": found, "seconds": time.monotonic() - begun, "cpuSeconds": time.process_time() - cpu}))


def _extract(dataset, extraction, due):
    """Not before it is due. The seconds are those since then, so that waiting for others counts."""
    time.sleep(max(0.0, due - time.monotonic()))
    begun = time.monotonic()
    table = dataset.read(["timestamp_ns", "value"], signal=extraction["signal"], start=extraction["start"], end=extraction["end"])
    ended = time.monotonic()
    times, values = table["timestamp_ns"].to_numpy(), table["value"].to_numpy()
    return {"seconds": ended - due, "own": ended - begun, "rows": table.num_rows, "digest": digest(times.astype("i8"), values)}


def _know(file):
    """From now on this process knows the names of a file such as /etc/hosts."""
    with open(file, encoding="utf-8") as lines:
        addresses = {name: address for address, *names in map(str.split, lines) for name in names}
    by_address = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *others, **named: by_address(addresses.get(host, host), *others, **named)


if __name__ == "__main__":
    main(sys.argv[1])
