/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.core.plan;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A query's filter over a dataset's logical columns, in SQL's three-valued logic. What cannot be expressed is
 * {@link Unknown}, which may have any outcome. Literals are values as {@code ColumnType} describes them.
 */
public sealed interface Filter {

    /** The comparison operators. */
    enum Operator {
        EQ("="),
        LT("<"),
        LE("<="),
        GT(">"),
        GE(">=");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        /** The operator in SQL. */
        public String sign() {
            return sign;
        }
    }

    /** True where all parts are; no parts: true. */
    record And(List<Filter> parts) implements Filter {
        public And {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return parts.stream().map(Object::toString).collect(Collectors.joining(" AND ", "(", ")"));
        }
    }

    /** True where any part is; no parts: false. */
    record Or(List<Filter> parts) implements Filter {
        public Or {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return parts.stream().map(Object::toString).collect(Collectors.joining(" OR ", "(", ")"));
        }
    }

    /** The negation; null stays null. */
    record Not(Filter part) implements Filter {
        @Override
        public String toString() {
            return "NOT " + part;
        }
    }

    /** A column compared with a literal; null where either is null. */
    record Compare(
            Operator operator, String column, @Nullable Object literal) implements Filter {
        @Override
        public String toString() {
            return column + " " + operator.sign() + " " + literal;
        }
    }

    /** A column equal to one of the literals, which are not null. */
    record In(String column, List<Object> literals) implements Filter {
        public In {
            literals = List.copyOf(literals);
        }

        @Override
        public String toString() {
            return column + " IN " + literals;
        }
    }

    /** Whether a column is null; never null itself. */
    record IsNull(String column) implements Filter {
        @Override
        public String toString() {
            return column + " IS NULL";
        }
    }

    /** Whether a string column starts with a prefix. */
    record StartsWith(String column, String prefix) implements Filter {
        @Override
        public String toString() {
            return column + " LIKE '" + prefix + "%'";
        }
    }

    /** Anything else. */
    record Unknown() implements Filter {
        @Override
        public String toString() {
            return "?";
        }
    }

    /** The filter that every record passes. */
    Filter ALL = new And(List.of());
}
