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
"""The records that a line chart shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from hadoop_mpsr import m4
from hadoop_mpsr.data.conditions import Named
from hadoop_mpsr.data.values import value_of


@dataclass(frozen=True)
class Chart:
    """A line chart.

    Attributes:
        time: The name of the column of the horizontal axis.
        value: That of the vertical axis.
        begin: The first time of the chart, in the column's unit.
        end: The first time behind it.
        width: Pixels.
    """

    time: str
    value: str
    begin: int
    end: int
    width: int

    @staticmethod
    def of(time: Named, value: Named, start: Any, end: Any, width: int) -> "Chart":
        """The chart.

        Raises:
            ValueError: The times or the width make no sense.
        """
        begin, until = (exact.low + exact.between for exact in (value_of(time.kind, each, time.name) for each in (start, end)))
        if begin >= until:
            raise ValueError(f"the chart ends at {end}, and begins at {start}: give a later end")
        if width < 1:
            raise ValueError(f"the chart is {width} pixels wide: give a width of at least 1")
        if not _is_number(value.kind):
            raise ValueError(f"the column '{value.name}' of type {value.kind} has no numbers: name another one")
        return Chart(time.name, value.name, begin, until, width)

    def shown(self, empty: pa.Table, tables: Iterable[pa.Table]) -> pa.Table:
        """The records of all tables that the chart shows, in the order of time. Few records are kept at a time.

        Args:
            empty: What is returned if there are none.
        """
        kept = empty
        for table in tables:
            kept = self._shown(pa.concat_tables([kept, self._shown(table)]))
        return kept

    def _shown(self, table: pa.Table) -> pa.Table:
        known = table.filter(pc.and_(table[self.time].is_valid(), table[self.value].is_valid()))
        times = known[self.time]
        if pa.types.is_date32(times.type):
            times = times.cast(pa.int32())
        values = known[self.value]
        if not pa.types.is_integer(values.type):  # doubles do not hold all of them
            values = values.cast(pa.float64())
        numbers = m4.shown(times.cast(pa.int64()).to_numpy(), values.to_numpy(), self.begin, self.end, self.width)
        return known.take(pa.array(numbers, pa.int64()))


def _is_number(kind: str) -> bool:
    return kind in ("tinyint", "smallint", "int", "bigint", "float", "double") or kind.startswith("decimal")
