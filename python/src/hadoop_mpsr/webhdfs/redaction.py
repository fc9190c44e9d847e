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
"""Keeps delegation tokens out of logs: WebHDFS takes them in addresses, which the library below logs when it debugs."""

import logging

from hadoop_mpsr.webhdfs.answers import without_tokens

_LOGGER = "urllib3.connectionpool"


class _WithoutTokens(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        """Lets each record pass, without tokens."""
        message = record.getMessage()
        cleared = without_tokens(message)
        if cleared != message:
            record.msg, record.args = cleared, ()
        return True


_FILTER = _WithoutTokens()


def hide_tokens() -> None:
    """From now on the records of that library have no tokens. May be called again and again."""
    logging.getLogger(_LOGGER).addFilter(_FILTER)
