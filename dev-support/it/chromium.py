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
"""Finds a Chromium for the tests of web pages, and installs Debian's where there is none."""

import os
import shutil
import subprocess

from mpsr_launcher.errors import MpsrError

NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
PACKAGES = ("chromium-headless-shell", "fonts-liberation")


def find_or_install(console):
    """The path of a Chromium: MPSR_CHROMIUM, else one that is installed, else Debian's (100 MB, once)."""
    found = find()
    if not found:
        console.say(f"installing {' '.join(PACKAGES)} for the tests of the web page (once; a download of about 100 MB)")
        _install()
        found = find()
    if not found:
        raise MpsrError(
            "the tests of the web page need Chromium, which could not be installed from here."
            f" As root: apt-get install {' '.join(PACKAGES)}; or set MPSR_CHROMIUM to the path of one"
        )
    return found


def find():
    """The path of an installed Chromium, or None."""
    named = os.environ.get("MPSR_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def _install():
    """Does what it may: whether there is a Chromium now is for the caller to see."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") and (not sudo or shutil.which("sudo")):
        apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
        for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
            subprocess.run([*apt, *command], stdin=subprocess.DEVNULL, check=False)
