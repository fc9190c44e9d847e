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
"""Random filters of all columns of an Arrow table: each for PyIceberg as an object and as text, for Arrow, and as SQL."""

import math
from decimal import Decimal
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg import expressions as pe


class Filter(NamedTuple):
    """One filter in four forms; not all filters have a text."""

    iceberg: pe.BooleanExpression
    text: str | None
    arrow: pc.Expression
    sql: str


def _all(template, *parts):
    """The template with the parts in it; None if one is None."""
    return None if None in parts else template.format(*parts)


class Filters:
    """Makes filters of a table's columns and of the fields of its structs, mostly with values that the table has.

    Leaves out what PyIceberg 0.12 does in ways of its own, as docs/catalog.md says: it cannot send infinite numbers, and of a
    column that a file lacks it takes null for a value that differs from all others.
    """

    def __init__(self, table, rng, keys, lacking):
        """``keys`` are columns by which groups are partitioned, and ``lacking`` those that files may lack."""
        self._rng = rng
        self._keys = keys
        self._lacking = lacking
        self._columns = {}
        for field in table.schema:
            if pa.types.is_struct(field.type):
                for within in field.type:
                    values = pc.struct_field(table[field.name], within.name)
                    self._columns[field.name, within.name] = values
            elif not pa.types.is_nested(field.type):
                self._columns[(field.name,)] = table[field.name]

    def some(self, depth):
        """A filter of so many levels at most."""
        if depth and self._rng.random() < 0.6:
            left = self.some(depth - 1)
            kind = self._rng.choice(("and", "and", "or", "or", "not"))
            if kind == "not":
                return Filter(pe.Not(left.iceberg), _all("(NOT {})", left.text), ~left.arrow, f"(NOT {left.sql})")
            right = self.some(depth - 1)
            if kind == "and":
                return self._both(left, right)
            text = _all("({} OR {})", left.text, right.text)
            return Filter(pe.Or(left.iceberg, right.iceberg), text, left.arrow | right.arrow, f"({left.sql} OR {right.sql})")
        path = self._rng.choice(list(self._columns))
        leaf = self._leaf(path, self._rng.choice(self._operations(self._columns[path].type)))
        return self._both(self._leaf(path, "not null"), leaf) if path[0] in self._lacking else leaf

    def of_a_key(self, depth):
        """A filter of a column by which a group is partitioned, and of others."""
        path = (self._rng.choice(self._keys),)
        return self._both(self._leaf(path, self._rng.choice(("=", "in", "<", ">="))), self.some(depth))

    @staticmethod
    def _both(left, right):
        text = _all("({} AND {})", left.text, right.text)
        return Filter(pe.And(left.iceberg, right.iceberg), text, left.arrow & right.arrow, f"({left.sql} AND {right.sql})")

    @staticmethod
    def _operations(kind):
        found = ["null", "not null", "=", "!=", "in", "not in"]
        if not pa.types.is_boolean(kind):
            found += ["<", "<=", ">", ">="] * 2
        if pa.types.is_floating(kind):
            found += ["nan", "not nan"]
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            found += ["starts", "not starts"] * 2
        return found

    def _leaf(self, path, operation):
        name, field, sql = ".".join(path), pc.field(*path), ".".join(f'"{part}"' for part in path)
        column = self._columns[path]
        if operation in _UNARY:
            return _UNARY[operation](name, field, sql)
        if operation in ("in", "not in"):
            values = list({self._value(column): None for _ in range(self._rng.randint(2, 5))})
            if len(values) > 1:
                return self._of_several(operation, column, field, sql, name, values)
            operation = "=" if operation == "in" else "!="
        value = self._value(column)
        if operation in ("starts", "not starts"):
            start = value[: self._rng.randint(0, 3)]
            found, said = pc.starts_with(field, start), f"starts_with({sql}, {_sql(start, column.type)})"
            like = _text(start.replace("%", "\\%") + "%")
            if operation == "starts":
                return Filter(pe.StartsWith(name, start), _all("({} LIKE {})", sql, like), found, said)
            return Filter(pe.NotStartsWith(name, start), _all("({} NOT LIKE {})", sql, like), ~found, f"(NOT {said})")
        make, compare = _COMPARED[operation]
        compared = compare(field, pa.scalar(value, column.type))
        text = _all("({} {} {})", sql, operation, _text(value))
        return Filter(make(name, value), text, compared, f"({sql} {operation} {_sql(value, column.type)})")

    @staticmethod
    def _of_several(operation, column, field, sql, name, values):
        found = field.isin(pa.array(values, column.type))
        texts = _all(", ".join(["{}"] * len(values)), *map(_text, values))
        listed = ", ".join(_sql(value, column.type) for value in values)
        if operation == "in":
            return Filter(pe.In(name, values), _all("({} IN ({}))", sql, texts), found, f"({sql} IN ({listed}))")
        return Filter(pe.NotIn(name, values), _all("({} NOT IN ({}))", sql, texts), ~found, f"({sql} NOT IN ({listed}))")

    def _value(self, column):
        """One of the column, or of a whole number one beside it; never null, and finite."""
        while True:
            value = column[self._rng.randrange(len(column))].as_py()
            if value is not None and (not isinstance(value, float) or math.isfinite(value)):
                break
        if pa.types.is_integer(column.type) and self._rng.random() < 0.2:
            most = 2 ** (column.type.bit_width - 1) - 1
            value = max(-most - 1, min(most, value + self._rng.choice((-1, 1))))
        return value


def _unary(make, arrow, ending, sql):
    def filter_of(name, field, column):
        return Filter(make(name), f"({column} {ending})", arrow(field), sql.format(column))

    return filter_of


_UNARY = {
    "null": _unary(pe.IsNull, lambda field: field.is_null(), "IS NULL", "({} IS NULL)"),
    "not null": _unary(pe.NotNull, lambda field: field.is_valid(), "IS NOT NULL", "({} IS NOT NULL)"),
    "nan": _unary(pe.IsNaN, pc.is_nan, "IS NAN", "isnan({})"),
    "not nan": _unary(pe.NotNaN, lambda field: ~pc.is_nan(field), "IS NOT NAN", "(NOT isnan({}))"),
}
_COMPARED = {
    "=": (pe.EqualTo, lambda a, b: a == b),
    "!=": (pe.NotEqualTo, lambda a, b: a != b),
    "<": (pe.LessThan, lambda a, b: a < b),
    "<=": (pe.LessThanOrEqual, lambda a, b: a <= b),
    ">": (pe.GreaterThan, lambda a, b: a > b),
    ">=": (pe.GreaterThanOrEqual, lambda a, b: a >= b),
}


def _sql(value, kind):
    if isinstance(value, bytes):
        return "from_hex('" + value.hex() + "')"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float):
        return f"CAST('{value!r}' AS {'FLOAT' if kind == pa.float32() else 'DOUBLE'})"
    if pa.types.is_temporal(kind):
        name = "DATE" if pa.types.is_date(kind) else "TIMESTAMPTZ" if kind.tz else "TIMESTAMP"
        return f"CAST('{value.isoformat()}' AS {name})"
    return str(value)


def _text(value):
    """A value as PyIceberg reads it in text, which has no exponents, tabs and line breaks; None if it cannot."""
    if isinstance(value, bytes) or (isinstance(value, str) and not {"\t", "\n"}.isdisjoint(value)):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (float, Decimal)):
        digits = format(Decimal(repr(value)) if isinstance(value, float) else value, "f")
        return digits if "." in digits else digits + ".0"
    if isinstance(value, (str, int)):
        return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
    return f"'{value.isoformat()}'"
