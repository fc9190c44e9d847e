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
"""The types of columns as Arrow has them when the files are read."""

import re

import pyarrow as pa

_SIMPLE = {
    "string": pa.string(),
    "binary": pa.binary(),
    "tinyint": pa.int8(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "timestamp_ntz": pa.timestamp("us"),
    "timestamp_ns": pa.int64(),
    "time_ns": pa.int64(),
}
_DECIMAL = re.compile(r"decimal\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)")
_NESTED = re.compile(r"(array|map|struct)\s*<(.*)>", re.DOTALL)


def arrow_type(text: str) -> pa.DataType:
    """The type that a schema's text names. Nanoseconds are whole numbers, as in the files.

    Raises:
        ValueError: This version knows no such type.
    """
    text = text.strip()
    if text in _SIMPLE:
        return _SIMPLE[text]
    decimal = _DECIMAL.fullmatch(text)
    if decimal:
        return pa.decimal128(int(decimal[1]), int(decimal[2]))
    nested = _NESTED.fullmatch(text)
    if not nested:
        raise ValueError(f"there is no type '{text}' in this version of hadoop-mpsr for Python: install that of the cluster")
    if nested[1] == "array":
        return pa.list_(pa.field("element", arrow_type(nested[2])))
    parts = _split(nested[2], ",")
    if nested[1] == "map":
        key, value = parts
        return pa.map_(arrow_type(key), arrow_type(value))
    return pa.struct([_field(part) for part in parts])


def _field(text: str) -> pa.Field:
    name = _split(text, ":")[0]
    return pa.field(unquoted(name.strip()), arrow_type(text[len(name) + 1 :]))


def unquoted(name: str) -> str:
    """The name of a column or field that stands in a text, in backticks or without."""
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def _split(text: str, by: str) -> list[str]:
    """The parts between separators that are in no brackets and no backticks."""
    parts, depth, quoted, start = [], 0, False, 0
    for at, letter in enumerate(text):
        if letter == "`":
            quoted = not quoted  # a doubled one changes nothing
        elif not quoted:
            depth += (letter in "<(") - (letter in ">)")
            if letter == by and depth == 0:
                parts.append(text[start:at])
                start = at + 1
    return [*parts, text[start:]]
