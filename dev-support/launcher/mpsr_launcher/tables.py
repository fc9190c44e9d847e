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
"""Tables and sizes for people."""

import re

from mpsr_launcher.printable import printable


def aligned(rows):
    """Rows of cells as lines of text, the first one the head; numbers stand to the right."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [text.ljust(width) if _is_word(text) else text.rjust(width) for text, width in zip(row, widths)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _is_word(text):
    return not re.match(r"^[0-9][0-9.,]*( [kMG]?B)?$", text)


def plain(number):
    """A whole number with commas."""
    return f"{number:,}"


def size(number):
    """A number of bytes with three digits."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= factor:
            return f"{number / factor:.3g} {unit}" if number < 100 * factor else f"{number / factor:.0f} {unit}"
    return f"{number} B"
