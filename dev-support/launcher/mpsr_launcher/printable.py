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
"""Names and messages of others, made fit for a terminal: as PrintableText in mpsr-core, which has the reasons."""

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Controls, formats (the direction of text among them), halves of pairs, separators of lines and of paragraphs."""


def printable(text):
    """The text on one line, with a character that cannot be seen as the escape that JSON has for it."""
    if not any(unicodedata.category(letter) in _HIDDEN for letter in text):
        return text
    return "".join(_escaped(letter) if unicodedata.category(letter) in _HIDDEN else letter for letter in text)


def printable_lines(text):
    """The same for a text of several lines."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _escaped(letter):
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
