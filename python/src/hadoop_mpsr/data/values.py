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
"""Values that conditions compare columns with: what people write, as Arrow and as the planner have it."""

import datetime
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import pyarrow as pa

INTEGERS = {"tinyint", "smallint", "int", "bigint"}
TIMES = {"timestamp", "timestamp_ntz", "timestamp_ns"}
FLOATS = {"float", "double"}
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_INT64 = range(-(2**63), 2**63)
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?")


class Exact(NamedTuple):
    """A value on the scale of a column.

    Attributes:
        low: The greatest value of the column's type that is not greater; what the planner compares, if plannable.
        between: The value itself lies between this one and the next of the type.
        plannable: The planner knows values of this type.
    """

    low: Any
    between: bool
    plannable: bool


def value_of(kind: str, value: Any, name: str) -> Exact:
    """A value that a column of this type is compared with.

    Times are datetimes with a zone, or without one in UTC; those of pandas and numpy too; or texts such as ``2014-05-01`` and
    ``2014-05-01T06:00:00.123456789Z``. Columns of nanoseconds also take whole numbers.

    Raises:
        ValueError: It is none of the type.
    """
    value = _plain(value)
    if kind in INTEGERS or kind in ("timestamp_ns", "time_ns") and not isinstance(value, (str, datetime.date, datetime.time, _Nanos)):
        low, between = _whole(kind, value, name)
        return Exact(low, between, kind != "time_ns")
    if kind in TIMES:
        return _time(kind, value, name)
    if kind == "time_ns":
        return Exact(_of_day(value, name), False, False)
    if kind == "date":
        nanos = _nanos(value, name, kind)
        days, rest = divmod(nanos, 86_400 * 10**9)
        return Exact(days, rest != 0, True)
    if kind in FLOATS and isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        number = float(value)
        if math.isnan(number):
            raise _wrong(kind, value, name, "NaN compares with nothing; write a range")
        return Exact(number, False, math.isfinite(number) and number != 0)
    if kind == "string" and isinstance(value, str):
        return Exact(value, False, True)
    if kind == "boolean" and isinstance(value, bool):
        return Exact(value, False, True)
    if kind == "binary" and isinstance(value, bytes):
        return Exact(value, False, False)
    if kind.startswith("decimal") and isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Exact(Decimal(value), False, False)
    raise _wrong(kind, value, name, "give one of its type")


class _Nanos(NamedTuple):
    """Nanoseconds since 1970-01-01, in UTC or by a calendar without zones."""

    count: int
    zoned: bool


def _plain(value: Any) -> Any:
    """What numpy and pandas have, as Python has it; times with their nanoseconds."""
    module = type(value).__module__.partition(".")[0]
    if module == "pandas" and isinstance(value, datetime.datetime):
        count = value.as_unit("ns").value
        return _Nanos(count, value.tzinfo is not None)
    if module == "numpy":
        if type(value).__name__ == "datetime64":
            return _Nanos(int(value.astype("datetime64[ns]").astype("int64")), False)
        return value.item()
    return value


def _whole(kind: str, value: Any, name: str) -> tuple[int, bool]:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)) or not math.isfinite(value):
        raise _wrong(kind, value, name, "give a number")
    low = math.floor(Fraction(value))
    if low not in _INT64:
        raise _wrong(kind, value, name, "give a number of 64 bits")
    return low, low != value


def _time(kind: str, value: Any, name: str) -> Exact:
    nanos = _nanos(value, name, kind)
    if kind == "timestamp_ns":
        if nanos not in _INT64:
            raise _wrong(kind, value, name, "give a time between the years 1678 and 2262")
        return Exact(nanos, False, True)
    micros, rest = divmod(nanos, 1_000)
    return Exact(micros, rest != 0, True)


def _nanos(value: Any, name: str, kind: str) -> int:
    if isinstance(value, str):
        value = _written(value, name, kind)
    if isinstance(value, datetime.datetime):
        delta = (value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)) - _EPOCH
        value = _Nanos((delta.days * 86_400 + delta.seconds) * 10**9 + delta.microseconds * 1_000, value.tzinfo is not None)
    elif isinstance(value, datetime.date):
        value = _Nanos((value - _EPOCH.date()).days * 86_400 * 10**9, False)
    if not isinstance(value, _Nanos):
        raise _wrong(kind, value, name, "give a datetime, or a text such as 2014-05-01T06:00:00Z")
    if value.zoned and kind == "timestamp_ntz":
        raise _wrong(kind, value, name, "give a time without a zone: the column has none")
    return value.count


def _written(text: str, name: str, kind: str) -> _Nanos:
    found = _TIME.fullmatch(text.strip())
    try:
        if found:
            day, clock, fraction, zone = found.groups()
            zone = {"Z": "+00:00"}.get(zone, zone)
            whole = datetime.datetime.fromisoformat(f"{day}T{clock or '00:00'}{zone or '+00:00'}") - _EPOCH
            return _Nanos((whole.days * 86_400 + whole.seconds) * 10**9 + int((fraction or "").ljust(9, "0")), zone is not None)
    except ValueError:
        pass  # no day of the calendar
    raise _wrong(kind, text, name, "write a time such as 2014-05-01 or 2014-05-01T06:00:00.123456789Z")


def _of_day(value: Any, name: str) -> int:
    try:
        if isinstance(value, str):
            clock, _, fraction = value.partition(".")
            value, more = datetime.time.fromisoformat(clock), int(fraction.ljust(9, "0")) if fraction else 0
        else:
            more = 0
        if isinstance(value, datetime.time) and value.tzinfo is None and more < 10**9:
            seconds = (value.hour * 60 + value.minute) * 60 + value.second
            return seconds * 10**9 + value.microsecond * 1_000 + more
    except ValueError:
        pass
    raise _wrong("time_ns", value, name, "give a time of day such as 06:00:00.5")


def scalar(kind: str, low: Any) -> pa.Scalar:
    """The value for an expression of Arrow on a column of this type."""
    if kind in ("timestamp", "timestamp_ntz"):
        return pa.scalar(low, pa.int64()).cast(pa.timestamp("us", tz="UTC" if kind == "timestamp" else None))
    if kind == "date":
        return pa.scalar(low, pa.int32()).cast(pa.date32())
    if kind in INTEGERS or kind in ("timestamp_ns", "time_ns"):
        return pa.scalar(low, pa.int64())
    return pa.scalar(low, pa.float64()) if kind in FLOATS else pa.scalar(low)


def _wrong(kind: str, value: Any, name: str, fix: str) -> ValueError:
    value = value.count if isinstance(value, _Nanos) else value
    return ValueError(f"the column '{name}' of type {kind} cannot be compared with {value!r}: {fix}")
