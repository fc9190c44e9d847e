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
"""Random conditions on the records of ``catalog_clients.py``, in the SQL of Spark and of Trino, which is also DuckDB's. One draw
gives the same condition in both."""

CONDITIONS = (
    "signal = '{signal}'",
    "device = '{device}' AND value > 0",
    "day = DATE'{day}'",
    "signal IN ('{signal}', 'none') OR value IS NULL",
    "system LIKE 'V%' AND NOT (mode = 'x')",
    "timestamp_ns % 7 = 3",
)
"""Conditions that both know, whose values are in the records."""
ASKED = (
    "count(*)",
    "count(value)",
    "sum(fill)",
    "min(timestamp_ns)",
    "max(timestamp_ns)",
    "count(DISTINCT device)",
    "max(day)",
)
_EQUAL_OR_NULL = "<=>"
_OPERATORS = ("=", "<", "<=", ">", ">=", "<>", _EQUAL_OR_NULL)


class Spark:
    """The SQL of Spark."""

    equal_or_null = "<=>"

    @staticmethod
    def literal(value):
        """A value that a record has."""
        return "NULL" if value is None else repr(value) if isinstance(value, (int, float, str)) else f"DATE'{value}'"


class Trino:
    """The SQL of Trino."""

    equal_or_null = "IS NOT DISTINCT FROM"

    @staticmethod
    def literal(value):
        """A value that a record has."""
        if isinstance(value, str):
            return "'" + value.replace("'", "''") + "'"
        return f"DOUBLE '{value!r}'" if isinstance(value, float) else Spark.literal(value)


def condition(draw, rows, sql=Spark, depth=2):
    """A condition with values that some records have or nearly have."""
    if depth == 0 or draw.random() < 0.4:
        return _simple(draw, rows, sql)
    left, right = (condition(draw, rows, sql, depth - 1) for _ in range(2))
    return f"NOT ({left})" if draw.random() < 0.15 else f"({left} {draw.choice(('AND', 'AND', 'OR'))} {right})"


def _simple(draw, rows, sql):
    """A condition on one column."""
    column = draw.choice(tuple(rows[0]))
    value, other = (draw.choice(rows)[column] for _ in range(2))
    if isinstance(value, (int, float)) and draw.random() < 0.3:
        value += draw.choice((-1, 0.5, 1)) if isinstance(value, float) else draw.choice((-1, 1))
    if isinstance(value, str) and draw.random() < 0.3:
        return f"{column} LIKE {sql.literal(value[: draw.randrange(1, len(value) + 1)] + '%')}"
    match draw.randrange(5):
        case 0:
            return f"{column} IS {draw.choice(('', 'NOT '))}NULL"
        case 1:
            return f"{column} {draw.choice(('', 'NOT '))}IN ({sql.literal(value)}, {sql.literal(other)})"
        case 2:
            return f"{column} BETWEEN {sql.literal(value)} AND {sql.literal(other)}"
        case _:
            operator = draw.choice(_OPERATORS)
            return f"{column} {sql.equal_or_null if operator == _EQUAL_OR_NULL else operator} {sql.literal(value)}"
