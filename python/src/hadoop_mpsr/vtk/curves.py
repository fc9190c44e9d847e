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
"""Signals in Parquet files, as few points as a chart can show."""

from dataclasses import dataclass

import numpy
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from hadoop_mpsr import m4


@dataclass(frozen=True)
class Wanted:
    """What a chart shows: which columns have time, value and name of the signal, which signals, and from when to when.

    ``begin`` is shown and ``end`` is not; both are numbers of the time column's unit, or None for all there is. ``width`` is
    that of the chart in pixels.
    """

    time: str
    value: str
    signal: str
    signals: tuple[str, ...]
    begin: int | None
    end: int | None
    width: int


def read(path, wanted):
    """The points of a file by signal: arrays of times, as whole numbers of the column's unit, and of values. Nulls are left out.

    Raises OSError if the file cannot be read, ValueError if it lacks a column or has one of another type.
    """
    columns = [wanted.time, wanted.value, wanted.signal]
    schema = pyarrow.parquet.read_schema(path)
    missing = [name for name in columns if name not in schema.names]
    if missing:
        raise ValueError(f"'{path}' has no column {', '.join(missing)}; it has {', '.join(schema.names)}")
    filters = [(wanted.signal, "in", list(wanted.signals))]
    table = pyarrow.parquet.read_table(path, columns=columns, filters=filters, partitioning=None)
    table = table.filter(pyarrow.compute.and_(*(table[name].is_valid() for name in (wanted.time, wanted.value))))
    times = _whole(table[wanted.time], path, wanted.time)
    try:
        values = table[wanted.value].cast(pyarrow.float64(), safe=False).to_numpy()
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"'{path}': the column {wanted.value} has no numbers: {error}") from error
    names = table[wanted.signal].to_numpy(zero_copy_only=False)
    shown = numpy.ones(len(times), bool)
    if wanted.begin is not None:
        shown &= times >= wanted.begin
    if wanted.end is not None:
        shown &= times < wanted.end
    points = {}
    for signal in wanted.signals:
        mine = shown & (names == signal)
        if mine.any():
            points[signal] = (times[mine], values[mine])
    return points


def _whole(column, path, name):
    kind = column.type
    if pyarrow.types.is_timestamp(kind) or pyarrow.types.is_date64(kind) or pyarrow.types.is_int64(kind):
        return column.cast(pyarrow.int64()).to_numpy()
    if pyarrow.types.is_integer(kind) or pyarrow.types.is_date32(kind):
        return column.cast(pyarrow.int32()).cast(pyarrow.int64()).to_numpy()
    raise ValueError(f"'{path}': the column {name} is {kind}; name a column of times or whole numbers with --time")


def of_all(comm, points, wanted):
    """The points that the chart shows of what all ranks have read: by signal, on rank 0; None on others. And the range of time.

    ``points`` has, by signal, what ``read`` has of each file. Raises ValueError if there is none.
    """
    spans = [(int(times.min()), int(times.max())) for each in points.values() for times, _ in each]
    known = [span for each in comm.allgather(spans) for span in each]
    if not known:
        raise ValueError(f"no file has a record of {', '.join(wanted.signals)}; name others with --signals")
    begin = wanted.begin if wanted.begin is not None else min(first for first, _ in known)
    end = wanted.end if wanted.end is not None else max(last for _, last in known) + 1
    if begin >= end:
        raise ValueError(f"--begin {begin} is not before --end {end}; give an earlier time")
    reduced = {signal: _taken(each, begin, end, wanted.width) for signal, each in points.items()}
    parts = comm.gather(reduced)
    if parts is None:
        return None, (begin, end)
    merged = {}
    for signal in wanted.signals:
        mine = [part[signal] for part in parts if signal in part]
        if mine:
            merged[signal] = _taken(mine, begin, end, wanted.width)
    return merged, (begin, end)


def _taken(parts, begin, end, width):
    times, values = (numpy.concatenate(each) for each in zip(*parts, strict=True))
    kept = m4.shown(times, values, begin, end, width)
    return times[kept], values[kept]
