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
"""Waiting for a condition, not for a time."""

import time

from mpsr_launcher.errors import MpsrError


def until(condition, what, timeout_seconds, watch=lambda: None, interval_seconds=0.2):
    """Asks the condition until it returns something true, and returns that.

    Between two tries it calls ``watch``, which raises when waiting has become pointless. Raises when the time is up.
    """
    deadline = time.monotonic() + timeout_seconds
    while True:
        found = condition()
        if found:
            return found
        watch()
        if time.monotonic() > deadline:
            raise MpsrError(f"waited {timeout_seconds} s in vain for {what}. See the logs ('bin/mpsr cluster logs').")
        time.sleep(interval_seconds)
