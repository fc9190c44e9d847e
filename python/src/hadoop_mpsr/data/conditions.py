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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from hadoop_mpsr.data.values import FLOATS, Exact, scalar, value_of

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
        found = pc.scalar(True)
        for index, part in enumerate(self.parts):
            found = part.expression(names) if index == 0 else found & part.expression(names)
        return found

    def filter(self) -> dict[str, Any]:
        return {"op": "and", "parts": [part.filter() for part in self.parts]}

    def negated(self) -> Condition:
        return Any_(tuple(part.negated() for part in self.parts))

    def conjuncts(self) -> list[Condition]:
        return [each for part in self.parts for each in part.conjuncts()]


@dataclass(frozen=True)
class Any_(Condition):
    """One of the parts is true; false without parts."""

    parts: tuple[Condition, ...]

    def columns(self) -> set[str]:
        return set().union(*(part.columns() for part in self.parts))

    def expression(self, names: Mapping[str, str]) -> pc.Expression:
        found = pc.scalar(False)
        for index, part in enumerate(self.parts):
            found = part.expression(names) if index == 0 else found | part.expression(names)
        return found

    def filter(self) -> dict[str, Any]:
        equal = [part for part in self.parts if isinstance(part, Compare) and part.operator == "=" and part._is_sent()]
        if len(equal) == len(self.parts) > 1 and len({part.column for part in equal}) == 1:
            return {"op": "in", "column": equal[0].column.stored, "values": [part.value.low for part in equal]}
        return {"op": "or", "parts": [part.filter() for part in self.parts]}

    def negated(self) -> Condition:
        return All(tuple(part.negated() for part in self.parts))


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
