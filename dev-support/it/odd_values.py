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
"""Values of all types of columns, many of them at the edges of their type, and messages of JSON with them."""

import base64
import json
import struct

EDGES = {
    "string": ["", " ", "a\tb\n", "\u0000", "é", "日本", "\U0001f600", "null", "x" * 5000],
    "tinyint": [0, -1, 127, -128],
    "smallint": [0, -1, 32_767, -32_768],
    "int": [0, -1, 2**31 - 1, -(2**31)],
    "bigint": [0, -1, 2**63 - 1, -(2**63), 2**53 + 1],
    "float": [0.0, -0.0, 1.5, float("inf"), float("-inf"), 1.401298464324817e-45, 3.4028234663852886e38],
    "double": [0.0, -0.0, 0.1, float("inf"), float("-inf"), 5e-324, 1.7976931348623157e308],
    "decimal(9,2)": ["0", "-0.01", "9999999.99", "-9999999.99", "1.5"],
    "boolean": [True, False],
    "binary": [b"", b"\x00", b"\xff\xfe", b"abc"],
    "date": [0, -1, 17_000, -141_427, 2_932_896],
    "timestamp": [0, -1, 1_500_000_000_123_456, -2_208_988_800_000_001],
    "timestamp_ntz": [0, -1, 1_500_000_000_123_456, -2_208_988_800_000_001],
    "timestamp_ns": [0, -1, 1_500_000_000_123_456_789, -(2**62)],
    "time_ns": [0, 1, 86_399_999_999_999],
}
_UNITS = {"date": "days", "timestamp": "micros", "timestamp_ntz": "micros", "timestamp_ns": "nanos"}
_NOT_FINITE = {float("inf"): "Infinity", float("-inf"): "-Infinity"}


def value(kind, rng):
    """Some value of a type, often one at its edges or none."""
    dice = rng.random()
    if dice < 0.2:
        return None
    if dice < 0.5 or kind == "boolean":
        return rng.choice(EDGES[kind])
    random_value = {
        "string": lambda: "".join(rng.choices("abcäß 01", k=rng.randint(0, 12))),
        "tinyint": lambda: rng.randint(-128, 127),
        "smallint": lambda: rng.randint(-32_768, 32_767),
        "float": lambda: struct.unpack(">f", struct.pack(">f", rng.gauss(0, 1e6)))[0],
        "double": lambda: rng.gauss(0, 1e9),
        "decimal(9,2)": lambda: f"{rng.randint(-999, 999)}.{rng.randint(0, 99):02}",
        "binary": lambda: rng.randbytes(rng.randint(0, 8)),
        "date": lambda: rng.randint(-20_000, 40_000),
        "timestamp": lambda: rng.randint(-(10**15), 2 * 10**15),
        "timestamp_ntz": lambda: rng.randint(-(10**15), 2 * 10**15),
        "time_ns": lambda: rng.randrange(86_400 * 10**9),
    }
    return random_value.get(kind, lambda: rng.randint(-(2**31), 2**31 - 1))()


def message(record):
    """A record, which has its values by the names of columns, as the message that is sent. It lacks what is None.

    JSON has no number for what is not finite, and the sink takes its name.
    """
    return json.dumps({name: _in_json(found) for name, found in record.items() if found is not None}).encode()


def _in_json(found):
    if isinstance(found, bytes):
        return base64.b64encode(found).decode()
    if isinstance(found, float) and found != found:
        return "NaN"
    return _NOT_FINITE.get(found, found) if isinstance(found, float) else found


def units(columns):
    """The value of mpsr.columns that says what the numbers of these columns count; columns are types by their names."""
    return ",".join(f"{name}={name} as {_UNITS[kind]}" for name, kind in columns.items() if kind in _UNITS)
