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
"""bin/mpsr explore."""

import getpass
import os
import webbrowser

from mpsr_launcher.cluster.cluster import running_cluster
from mpsr_launcher.cluster.explore import ExploreServer


def run(checkout, console, arguments):
    """Serves the web UI of the running cluster to a browser, until it is interrupted."""
    with ExploreServer(running_cluster(checkout, os.environ.get("MPSR_CLUSTER")), arguments.port) as server:
        page = server.page(getpass.getuser(), arguments.path)
        print(page, flush=True)
        if not arguments.no_browser:
            webbrowser.open(page)
        console.say("pictures are shown until Ctrl-C")
        server.serve_forever()
    return 0
