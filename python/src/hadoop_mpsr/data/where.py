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
"""Conditions in the text of SQL, a small part of it:

    signal = 'LHC.B1' AND (value >= 1.5 OR value IS NULL) AND device IN ('a', 'b') AND NOT name LIKE 'tmp%'
"""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn

from hadoop_mpsr.data.conditions import All, Any_, Compare, Condition, IsNull, Named, StartsWith, among
from hadoop_mpsr.data.types import unquoted

_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<quoted>`(?:[^`]|``)+`)|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<sign><=|>=|<>|!=|==|=|<|>|\(|\)|,))"
)
_MOST_LEVELS = 100
_OPERATORS = {"=": "=", "==": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class _Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def word(self) -> str:
        """The keyword, in capitals; empty for what cannot be one."""
        return self.text.upper() if self.kind == "word" else ""


def parse(text: str, column: Callable[[str], Named]) -> Condition:
    """Reads a condition.

    Args:
        column: Finds a column by its name, without regard to case; raises ValueError if there is none.

    Raises:
        ValueError: It is none; the message shows where.
    """
    return _Parser(text, column).whole()


class _Parser:
    def __init__(self, text: str, column: Callable[[str], Named]):
        self._text = text
        self._column = column
        self._tokens = _tokens(text)
        self._next = 0
        self._levels = 0

    def whole(self) -> Condition:
        """The condition that is the whole text."""
        found = self._any()
        if self._peek().kind != "end":
            self._fail("AND, OR or the end")
        return found

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._peek()
        self._next += token.kind != "end"
        return token

    def _has(self, *words: str) -> bool:
        if self._peek().word in words or self._peek().text in words and self._peek().kind == "sign":
            self._next += 1
            return True
        return False

    def _expect(self, word: str) -> None:
        if not self._has(word):
            self._fail(word)

    def _fail(self, wanted: str) -> NoReturn:
        token = self._peek()
        found = token.text or "the end"
        raise ValueError(f"the condition {self._text!r} cannot be read: at character {token.at + 1} there is {found}, not {wanted}")

    def _any(self) -> Condition:
        self._levels += 1
        if self._levels > _MOST_LEVELS:
            raise ValueError(f"the condition has more than {_MOST_LEVELS} levels: write it with fewer brackets")
        parts = [self._all()]
        while self._has("OR"):
            parts.append(self._all())
        self._levels -= 1
        return parts[0] if len(parts) == 1 else Any_(tuple(parts))

    def _all(self) -> Condition:
        parts = [self._one()]
        while self._has("AND"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _one(self) -> Condition:
        negations = 0
        while self._has("NOT"):
            negations += 1
        if self._has("("):
            found = self._any()
            self._expect(")")
        else:
            found = self._about(self._named())
        return found.negated() if negations % 2 else found

    def _named(self) -> Named:
        token = self._peek()
        if token.kind not in ("word", "quoted") or token.word in ("AND", "OR", "NOT", "IN", "IS", "LIKE", "BETWEEN"):
            self._fail("the name of a column")
        return self._column(unquoted(self._take().text))

    def _about(self, column: Named) -> Condition:
        if self._peek().text in _OPERATORS:
            operator = _OPERATORS[self._take().text]
            return Compare.of(column, operator, self._literal(column))
        if self._has("IS"):
            wanted = not self._has("NOT")
            self._expect("NULL")
            return IsNull(column, wanted)
        negated = self._has("NOT")
        if self._has("IN"):
            found = among(column, self._list(column))
        elif self._has("BETWEEN"):
            low = Compare.of(column, ">=", self._literal(column))
            self._expect("AND")
            found = All((low, Compare.of(column, "<=", self._literal(column))))
        elif self._has("LIKE"):
            found = self._like(column)
        else:
            self._fail("a comparison, IS, IN, BETWEEN or LIKE")
        return found.negated() if negated else found

    def _list(self, column: Named) -> list[Any]:
        self._expect("(")
        found = [self._literal(column)]
        while self._has(","):
            found.append(self._literal(column))
        self._expect(")")
        return found

    def _like(self, column: Named) -> Condition:
        pattern = self._take()
        if column.kind != "string":
            raise ValueError(f"the column '{column.name}' of type {column.kind} has no LIKE: compare it, or take a column of texts")
        text = pattern.text[1:-1].replace("''", "'") if pattern.kind == "text" else ""
        if not text.endswith("%") or any(letter in text[:-1] for letter in "%_\\"):
            raise ValueError(f"LIKE {pattern.text or 'the end'} cannot be read: only patterns such as 'tmp%' can, a text and one % after it")
        return StartsWith(column, text[:-1])

    def _literal(self, column: Named) -> Any:
        if self._peek().word in ("TIMESTAMP", "DATE") and self._tokens[self._next + 1].kind == "text":
            self._take()
        token = self._peek()
        if token.kind == "text":
            return self._take().text[1:-1].replace("''", "'")
        if token.kind == "number":
            text = self._take().text
            return int(text) if text.lstrip("+-").isdigit() else Decimal(text)
        if token.word in ("TRUE", "FALSE"):
            return self._take().word == "TRUE"
        return self._fail(f"a value to compare '{column.name}' with")


def _tokens(text: str) -> list[_Token]:
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if not match:
            start = at + len(text[at:]) - len(text[at:].lstrip())
            raise ValueError(f"the condition {text!r} cannot be read: at character {start + 1} there is {text[start]}")
        kind = match.lastgroup or ""
        found.append(_Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return [*found, _Token("end", "", len(text))]
