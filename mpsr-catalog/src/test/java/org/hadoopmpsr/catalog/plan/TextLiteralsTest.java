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
package org.hadoopmpsr.catalog.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class TextLiteralsTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.optional(1, "at", Types.TimestampType.withZone()),
            Types.NestedField.optional(2, "local", Types.TimestampType.withoutZone()),
            Types.NestedField.optional(3, "text", Types.StringType.get()),
            Types.NestedField.optional(4, "f", Types.FloatType.get()),
            Types.NestedField.optional(5, "d", Types.DoubleType.get()),
            Types.NestedField.optional(6, "i", Types.IntegerType.get()),
            Types.NestedField.optional(7, "c", Types.DecimalType.of(9, 2)));
    private static final String TIME = "2014-05-01T12:00:00.000001";

    /** What is bound is the same as what another filter is bound to. */
    private static void assertSame(Expression sent, Expression meant) {
        assertThat(Binder.bind(SCHEMA.asStruct(), TextLiterals.of(sent, SCHEMA, false), false))
                .hasToString(Binder.bind(SCHEMA.asStruct(), meant, false).toString());
    }

    @Test
    void timesWithoutAZoneAreOfUtc() {
        assertSame(Expressions.lessThan("AT", TIME), Expressions.lessThan("at", TIME + "+00:00"));
        assertSame(
                Expressions.not(Expressions.in("at", TIME, "2014-05-01T00:00+02:00")),
                Expressions.not(Expressions.in("at", TIME + "+00:00", "2014-04-30T22:00+00:00")));
        assertSame(
                Expressions.or(
                        Expressions.equal("at", TIME),
                        Expressions.and(Expressions.equal("text", TIME), Expressions.isNull("at"))),
                Expressions.or(
                        Expressions.equal("at", TIME + "+00:00"),
                        Expressions.and(Expressions.equal("text", TIME), Expressions.isNull("at"))));
    }

    @Test
    void decimalsAreFloatingPointNumbers() {
        assertSame(Expressions.lessThan("d", "0.5"), Expressions.lessThan("d", 0.5));
        assertSame(Expressions.in("f", "-1.25", "0.1"), Expressions.in("f", -1.25f, 0.1f));
        assertSame(Expressions.equal("c", "0.50"), Expressions.equal("c", new BigDecimal("0.50")));
    }

    @Test
    void whatElseIsSentStaysAsItIs() {
        for (Expression sent : new Expression[] {
            Expressions.lessThan("at", TIME + "+02:00"),
            Expressions.lessThan("at", 7L),
            Expressions.lessThan("local", TIME),
            Expressions.startsWith("text", TIME),
            Expressions.equal(Expressions.day("at"), 3),
            Expressions.notNull("at"),
            Expressions.alwaysTrue(),
            Expressions.alwaysFalse()
        }) {
            assertSame(sent, sent);
        }
    }

    @Test
    void whatDoesNotFitIsLeftToItsBinding() {
        for (Expression sent : new Expression[] {
            Expressions.equal("at", "yesterday"), Expressions.equal("d", "much"), Expressions.equal("none", "1.5")
        }) {
            assertThat(TextLiterals.of(sent, SCHEMA, true)).hasToString(sent.toString());
        }
        Expression fraction = TextLiterals.of(Expressions.lessThan("i", "0.5"), SCHEMA, true);
        assertThatThrownBy(() -> Binder.bind(SCHEMA.asStruct(), fraction, true)).hasMessageContaining("type int: 0.5");
    }
}
