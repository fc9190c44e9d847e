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
"""Mounts by fusermount3, which users may, and runs a command with the FUSE device as its standard input.

Arguments: the mount point, the options, the command. fusermount3 sends the open device through a socket, which Java cannot receive.
"""

import array
import os
import socket
import subprocess
import sys


def main(mount_point, options, *command):
    """Mounts, and becomes the command."""
    receiver, sender = socket.socketpair()
    with receiver:
        with sender:
            environment = dict(os.environ, _FUSE_COMMFD=str(sender.fileno()))
            helper = ["fusermount3", "-o", options, "--", mount_point]
            code = subprocess.call(helper, env=environment, pass_fds=[sender.fileno()])
        if code:
            sys.exit(code)
        numbers = array.array("i")
        _, ancillary, _, _ = receiver.recvmsg(1, socket.CMSG_SPACE(numbers.itemsize))
        for level, kind, data in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                numbers.frombytes(data[: numbers.itemsize])
    if not numbers:
        sys.exit("fusermount3 mounted and sent no device")
    os.dup2(numbers[0], 0)
    os.execvp(command[0], command)


main(*sys.argv[1:])
