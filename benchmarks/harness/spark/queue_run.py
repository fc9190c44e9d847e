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
"""Jobs that arrive at a fixed rate and wait until one of a few workers is free, first come, first served."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor


def run(job, jobs, interval_seconds, workers):
    """Calls ``job(name, parameters)`` for each of ``jobs``, [name, parameters] each.

    Job n arrives n intervals after the start. Tells for each job when it arrived, began and ended, in seconds since the
    start, and what it returned; a job that fails fails all.
    """
    start = time.monotonic()
    found = [None] * len(jobs)
    failed = threading.Event()

    def one(number):
        if failed.is_set():
            return
        began = time.monotonic() - start
        try:
            answer = job(*jobs[number])
        except BaseException:
            failed.set()
            raise
        found[number] = [number * interval_seconds, began, time.monotonic() - start, answer]

    with ThreadPoolExecutor(workers) as pool:
        waiting = []
        for number in range(len(jobs)):
            failed.wait(max(0.0, start + number * interval_seconds - time.monotonic()))
            waiting.append(pool.submit(one, number))
        for each in waiting:
            each.result()
    return {"jobs": found}
