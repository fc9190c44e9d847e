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
"""Files of tokens, as Hadoop's commands write them."""

import base64
import tempfile
import unittest
from pathlib import Path

from hadoop_mpsr import delegation_token


def sized(part):
    """Bytes with their length before them, as Writables have it."""
    if len(part) < 128:
        return bytes([len(part)]) + part
    return bytes([143, len(part)]) + part if len(part) < 256 else bytes([142]) + len(part).to_bytes(2, "big") + part


class TokensTest(unittest.TestCase):
    def file(self, *tokens, head=b"HDTS\0"):
        """A file with these tokens: identifier, password, kind and service."""
        directory = self.enterContext(tempfile.TemporaryDirectory())
        found = Path(directory, "token")
        content = b"".join(sized(b"alias") + b"".join(map(sized, token)) for token in tokens)
        found.write_bytes(head + bytes([len(tokens)]) + content + b"\0")
        return found

    def test_the_token_of_hdfs_is_found_among_others(self):
        for size in (1, 127, 128, 200, 255, 256, 1000):
            with self.subTest(size):
                token = (b"\xff" * size, b"secret", b"HDFS_DELEGATION_TOKEN", b"ha-hdfs:ns")
                found = delegation_token(self.file((b"i", b"p", b"kms-dt", b"kms"), token))
                padded = found + "=" * (-len(found) % 4)
                self.assertEqual(base64.urlsafe_b64decode(padded), b"".join(map(sized, token)))

    def test_other_files_are_refused_and_not_shown(self):
        token = (b"i", b"hidden", b"HDFS_DELEGATION_TOKEN", b"")
        cut = self.file(token)
        cut.write_bytes(cut.read_bytes()[:20])
        for file in (self.file(token, head=b"HDTS\1"), self.file(token, head=b"text!"), cut):
            with self.assertRaisesRegex(ValueError, "is no file of tokens that 'hdfs fetchdt' has written") as raised:
                delegation_token(file)
            self.assertNotIn("hidden", str(raised.exception))
        with self.assertRaisesRegex(ValueError, "has 2 delegation tokens of HDFS, and one is needed"):
            delegation_token(self.file(token, token))
        with self.assertRaisesRegex(ValueError, "has 0 delegation tokens"):
            delegation_token(self.file((b"i", b"p", b"kms-dt", b"kms")))
