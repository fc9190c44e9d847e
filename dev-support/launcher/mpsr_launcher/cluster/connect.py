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
"""A thin client of Kafka Connect's REST interface."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request

from mpsr_launcher import waiting
from mpsr_launcher.errors import MpsrError

_REFUSED = "Connect refused"
# What Connect refuses with when it will soon agree: the last is the whole answer of a worker that is starting.
_NOT_YET = re.compile("rebalanc|io error|status (found )?for connector|unknown connector|(?-i:: Not Found$)", re.IGNORECASE)


class Connect:
    """Asks one worker. Every method raises MpsrError with Connect's own words when a request fails."""

    def __init__(self, url, timeout_seconds=60):
        self._url = url
        self._timeout_seconds = timeout_seconds

    def is_ready(self):
        """Whether the worker answers and has joined its group."""
        try:
            self.list()
            return True
        except MpsrError:
            return False

    def list(self):
        """The names of the connectors."""
        return self._ask("GET", "/connectors")

    def status(self, name):
        """State of a connector and of its tasks, with the trace of what failed."""
        return self._ask("GET", f"/connectors/{_quoted(name)}/status")

    def create(self, name, config):
        """Creates a connector or changes its configuration."""
        return self._ask("PUT", f"/connectors/{_quoted(name)}/config", config)

    def delete(self, name):
        """Deletes a connector."""
        self._ask("DELETE", f"/connectors/{_quoted(name)}")

    def pause(self, name):
        """Lets a connector rest."""
        self._ask("PUT", f"/connectors/{_quoted(name)}/pause")

    def resume(self, name):
        """Lets a connector go on."""
        self._ask("PUT", f"/connectors/{_quoted(name)}/resume")

    def stop(self, name):
        """Stops a connector: its tasks end, its configuration stays."""
        self._ask("PUT", f"/connectors/{_quoted(name)}/stop")

    def reset_offsets(self, name):
        """Forgets what a stopped connector has read; returns Connect's words on it."""
        return self._ask("DELETE", f"/connectors/{_quoted(name)}/offsets")

    def restart(self, name):
        """Restarts a connector and its tasks."""
        self._ask("POST", f"/connectors/{_quoted(name)}/restart?includeTasks=true")

    def restart_failed(self, name):
        """Restarts those of a connector and its tasks that have failed."""
        self._ask("POST", f"/connectors/{_quoted(name)}/restart?includeTasks=true&onlyFailed=true")

    def reported(self, name):
        """What a connector has reported as read, as Connect says it."""
        return self._ask("GET", f"/connectors/{_quoted(name)}/offsets")

    def offsets(self, name):
        """What the sink has reported as committed: {partition: offset}. It lags a little behind the NameNode."""
        found = self.reported(name)["offsets"]
        return {o["partition"]["kafka_partition"]: o["offset"]["kafka_offset"] for o in found if o["offset"]}

    def failures(self, name):
        """The traces of the connector and of those of its tasks that have failed."""
        status = self.status(name)
        parts = [status["connector"], *status["tasks"]]
        return [part.get("trace", "no trace") for part in parts if part["state"] == "FAILED"]

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        request = urllib.request.Request(self._url + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_seconds) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            raise MpsrError(f"{_REFUSED} {method} {path}: {_words(error)}") from error
        except (urllib.error.URLError, OSError, ValueError) as error:
            raise MpsrError(f"Connect does not answer at {self._url}: {error}") from error


def patiently(request, timeout_seconds, unanswered=False):
    """Asks again while Connect starts, rebalances, has no leader, or knows nothing yet of a connector that it was given.

    With ``unanswered`` also while no worker answers. Any other refusal is raised.
    """

    def asked():
        try:
            request()
            return True
        except MpsrError as error:
            text = str(error)
            soon = _NOT_YET.search(text) if _REFUSED in text else unanswered
            if not soon:
                raise
            return False

    waiting.until(asked, "Connect's consent", timeout_seconds, interval_seconds=0.3)


def _words(error):
    text = error.read().decode(errors="replace")
    try:
        return json.loads(text).get("message", text)
    except ValueError:
        return text or str(error)


def _quoted(name):
    return urllib.parse.quote(name, safe="")
