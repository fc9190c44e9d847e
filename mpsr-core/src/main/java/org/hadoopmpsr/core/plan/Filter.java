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
 * A filter of a query on a dataset's logical columns, in SQL's three-valued logic. Any condition that cannot be
 * expressed is {@link Unknown}, which may have any outcome. Literals have the classes that {@code ColumnType} names.
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

    /** True if all parts are true; true without parts. */
    record And(List<Filter> parts) implements Filter {
        public And {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return parts.stream().map(Object::toString).collect(Collectors.joining(" AND ", "(", ")"));
        }
    }

    /** True if any part is true; false without parts. */
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

    /** A column compared with a literal; null if either is null. */
    record Compare(
            Operator operator, String column, @Nullable Object literal) implements Filter {
        @Override
        public String toString() {
            return column + " " + operator.sign() + " " + literal;
        }
    }

    /** True if a column equals one of the literals, which are not null. */
    record In(String column, List<Object> literals) implements Filter {
        public In {
            literals = List.copyOf(literals);
        }

        @Override
        public String toString() {
            return column + " IN " + literals;
        }
    }

    /** True if a column is null; the outcome is never null. */
    record IsNull(String column) implements Filter {
        @Override
        public String toString() {
            return column + " IS NULL";
        }
    }

    /** True if a string column starts with a prefix. */
    record StartsWith(String column, String prefix) implements Filter {
        @Override
        public String toString() {
            return column + " LIKE '" + prefix + "%'";
        }
    }

    /** Any other condition. */
    record Unknown() implements Filter {
        @Override
        public String toString() {
            return "?";
        }
    }

    /** The filter that every record passes. */
    Filter ALL = new And(List.of());
}
