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
"""Conditions on records, with the meaning that they have in Spark's SQL.

A condition is an expression of Arrow, which is exact, and a filter of the planner, which excludes files and is never too narrow.
Null is neither true nor false; NaN is greater than any number.
"""

import json
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from hadoop_mpsr.data.values import FLOATS, INTEGERS, Exact, scalar, value_of

_UNKNOWN = {"op": "unknown"}
_MAX_TEXT = 4_096
"""A longer text excludes hardly more."""
_MAX_LEVELS = 24
_MAX_VALUES = 10_000
_MAX_CHARACTERS = 900_000
"""The NameNode takes bodies of 1 MiB."""
_NEGATED = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True)
class Named:
    """A column that a condition is about.

    Attributes:
        name: Under which readers see it.
        stored: Under which files have it.
        kind: The text of its type.
    """

    name: str
    stored: str
    kind: str


class Condition:
    """A condition; immutable."""

    def columns(self) -> set[str]:
        """The names under which readers see the columns that it needs."""
        raise NotImplementedError

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        """The condition on a table.

        Args:
            names: The table's name for each of the columns.
        """
        raise NotImplementedError

    def filter(self) -> dict[str, Any]:
        """The condition for the planner, which each record passes that passes the condition."""
        raise NotImplementedError

    def negated(self) -> "Condition":
        """What is true where this is false."""
        raise NotImplementedError

    def conjuncts(self) -> list["Condition"]:
        """Conditions that are all true where this is."""
        return [self]


@dataclass(frozen=True)
class Compare(Condition):
    """A column compared with a value that is not null. The operator is one of =, !=, <, <=, > and >=."""

    column: Named
    operator: str
    value: Exact

    @staticmethod
    def of(column: Named, operator: str, value: Any) -> Condition:
        """The condition.

        Raises:
            ValueError: The value is none of the column's type.
        """
        exact = value_of(column.kind, value, column.name)
        if not exact.between:
            return Compare(column, operator, exact)
        if operator in ("=", "!="):
            return Fixed(column, operator == "!=")
        return Compare(column, "<=" if operator[0] == "<" else ">", exact._replace(between=False))

    def columns(self) -> set[str]:
        return {self.column.name}

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        field = pc.field(names[self.column.name])
        value = scalar(self.column.kind, self.value.low)
        left = field.cast("double") if self.column.kind == "float" else field
        found = {
            "=": left == value,
            "!=": left != value,
            "<": left < value,
            "<=": left <= value,
            ">": left > value,
            ">=": left >= value,
        }[self.operator]
        # NaN is not in the statistics by which Arrow leaves out row groups
        return found | pc.is_nan(field) if self.column.kind in FLOATS and self.operator in ("!=", ">", ">=") else found

    def filter(self) -> dict[str, Any]:
        if self.operator == "!=":
            return {"op": "not", "part": Compare(self.column, "=", self.value).filter()} if self._is_sent() else _UNKNOWN
        return {"op": self.operator, "column": self.column.stored, "value": self.value.low} if self._is_sent() else _UNKNOWN

    def _is_sent(self) -> bool:
        return self.value.plannable and not (isinstance(self.value.low, str) and len(self.value.low) > _MAX_TEXT)

    def negated(self) -> Condition:
        return Compare(self.column, _NEGATED[self.operator], self.value)


@dataclass(frozen=True)
class Fixed(Condition):
    """A comparison that is the same for all values of a column, such as with a fraction that no whole number is equal to."""

    column: Named
    truth: bool

    def columns(self) -> set[str]:
        return {self.column.name}

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        return pc.field(names[self.column.name]).is_valid() if self.truth else pc.scalar(False)

    def filter(self) -> dict[str, Any]:
        return IsNull(self.column, False).filter() if self.truth else {"op": "or", "parts": []}

    def negated(self) -> Condition:
        return Fixed(self.column, not self.truth)


@dataclass(frozen=True)
class IsNull(Condition):
    """A column is null, or is not."""

    column: Named
    wanted: bool

    def columns(self) -> set[str]:
        return {self.column.name}

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        field = pc.field(names[self.column.name])
        return field.is_null() if self.wanted else field.is_valid()

    def filter(self) -> dict[str, Any]:
        found = {"op": "is-null", "column": self.column.stored}
        return found if self.wanted else {"op": "not", "part": found}

    def negated(self) -> Condition:
        return IsNull(self.column, not self.wanted)


@dataclass(frozen=True)
class StartsWith(Condition):
    """A text that starts with another, or does not."""

    column: Named
    prefix: str
    wanted: bool = True

    def columns(self) -> set[str]:
        return {self.column.name}

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        found = pc.starts_with(pc.field(names[self.column.name]), self.prefix)
        return found if self.wanted else ~found

    def filter(self) -> dict[str, Any]:
        if not self.wanted or len(self.prefix) > _MAX_TEXT:
            return _UNKNOWN
        return {"op": "starts-with", "column": self.column.stored, "value": self.prefix}

    def negated(self) -> Condition:
        return StartsWith(self.column, self.prefix, not self.wanted)


@dataclass(frozen=True)
class All(Condition):
    """All parts are true; true without parts."""

    parts: tuple[Condition, ...]

    def columns(self) -> set[str]:
        return set().union(*(part.columns() for part in self.parts))

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        outside = _listed(self.parts, "!=", names)
        if outside is not None:
            return outside
        return joined([part.expression(names) for part in self.parts], operator.and_) if self.parts else pc.scalar(True)

    def filter(self) -> dict[str, Any]:
        return {"op": "and", "parts": [part.filter() for part in self.parts]}

    def negated(self) -> Condition:
        return Any_(tuple(part.negated() for part in self.parts))

    def conjuncts(self) -> list[Condition]:
        listed = _alike(self.parts, "!=") is not None
        return [self] if listed else [each for part in self.parts for each in part.conjuncts()]


@dataclass(frozen=True)
class Any_(Condition):
    """One of the parts is true; false without parts."""

    parts: tuple[Condition, ...]

    def columns(self) -> set[str]:
        return set().union(*(part.columns() for part in self.parts))

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        within = _listed(self.parts, "=", names)
        if within is not None:
            return within
        return joined([part.expression(names) for part in self.parts], operator.or_) if self.parts else pc.scalar(False)

    def filter(self) -> dict[str, Any]:
        column = _alike(self.parts, "=")
        values = [part.value.low for part in self.parts if isinstance(part, Compare) and part._is_sent()]
        if column is not None and len(values) == len(self.parts):
            return {"op": "in", "column": column.stored, "values": values}
        return {"op": "or", "parts": [part.filter() for part in self.parts]}

    def negated(self) -> Condition:
        return All(tuple(part.negated() for part in self.parts))


def joined(parts: list[pc.Expression], by: Callable[[pc.Expression, pc.Expression], pc.Expression]) -> pc.Expression:
    """Expressions, one at least, in a tree that is as low as can be: Arrow goes down it on the stack."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return by(joined(parts[:middle], by), joined(parts[middle:], by))


def _alike(parts: tuple[Condition, ...], sign: str) -> Named | None:
    """The column that all parts compare with values by this operator; None if they are no such list."""
    first = parts[0] if len(parts) > 1 else None
    if not isinstance(first, Compare) or first.column.kind.startswith("decimal"):
        return None
    same = (isinstance(part, Compare) and (part.operator, part.column) == (sign, first.column) for part in parts)
    return first.column if all(same) else None


def _listed(parts: tuple[Condition, ...], sign: str, names: Mapping[str, str]) -> pc.Expression | None:
    """One expression for comparisons of one column with many values; None for other conditions."""
    column = _alike(parts, sign)
    if column is None:
        return None
    values = [scalar(column.kind, part.value.low) for part in parts if isinstance(part, Compare)]
    if column.kind in FLOATS and any(value.as_py() == 0 for value in values):
        values += [pa.scalar(0.0), pa.scalar(-0.0)]  # equal, and not to a hash
    field = pc.field(names[column.name])
    is_number = column.kind in INTEGERS or column.kind in FLOATS
    compared = field.cast(values[0].type) if is_number else field
    found = compared.isin(pa.array([value.as_py() for value in values], values[0].type))
    if sign == "=":
        return found
    outside = field.is_valid() & ~found
    return outside | pc.is_nan(field) if column.kind in FLOATS else outside


def among(column: Named, values: Iterable[Any]) -> Condition:
    """The column is equal to one of the values, of which none is null."""
    return Any_(tuple(Compare.of(column, "=", value) for value in values))


def equal(column: Named, value: Any) -> Condition:
    """The column is equal to a value, to one of several, or null where the value is None."""
    if value is None:
        return IsNull(column, True)
    if isinstance(value, (list, tuple, set, frozenset)):
        return among(column, value)
    return Compare.of(column, "=", value)


def sent(condition: Condition) -> dict[str, Any]:
    """The filter within the limits of the NameNode; what is beyond them excludes nothing."""
    found = _within(condition.filter(), _MAX_LEVELS)
    return found if len(json.dumps(found)) <= _MAX_CHARACTERS else _UNKNOWN


def _within(found: dict[str, Any], levels: int) -> dict[str, Any]:
    if levels == 0 or len(found.get("values", ())) > _MAX_VALUES:
        return _UNKNOWN
    if "parts" in found:
        return {**found, "parts": [_within(part, levels - 1) for part in found["parts"]]}
    return {**found, "part": _within(found["part"], levels - 1)} if "part" in found else found
