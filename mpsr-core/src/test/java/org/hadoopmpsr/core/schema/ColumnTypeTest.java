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
package org.hadoopmpsr.core.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Stream;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.junit.jupiter.api.Test;

class ColumnTypeTest {

    @Test
    void eachKindHasOneTypeThatItsTextGives() {
        Stream<ColumnType> types = Stream.concat(
                Arrays.stream(SimpleType.values()), Stream.of(new DecimalType(9, 2), new DecimalType(38, 38)));
        assertThat(types).allSatisfy(type -> {
            assertThat(ColumnType.parse(" " + type.ddl().toUpperCase() + " ")).isEqualTo(type);
            assertThat(type.kind().name()).isEqualTo(type instanceof SimpleType simple ? simple.name() : "DECIMAL");
        });
        assertThat(ColumnType.STRING).isSameAs(SimpleType.STRING);
    }

    @Test
    void boundsAreWithinTheRangeOfTheType() {
        assertThat(ColumnType.TINYINT.holds(-128L)).isTrue();
        assertThat(ColumnType.TINYINT.holds(128L)).isFalse();
        assertThat(ColumnType.SMALLINT.holds(32_767L)).isTrue();
        assertThat(ColumnType.SMALLINT.holds(-32_769L)).isFalse();
        assertThat(ColumnType.TIME_NS.holds(86_399_999_999_999L)).isTrue();
        assertThat(ColumnType.TIME_NS.holds(86_400_000_000_000L)).isFalse();
        assertThat(ColumnType.BINARY.holds(new byte[0])).isFalse();
        assertThat(new DecimalType(3, 1).holds(999L)).isTrue();
        assertThat(new DecimalType(3, 1).holds(-1000L)).isFalse();
        assertThat(new DecimalType(38, 0).holds(Long.MIN_VALUE)).isTrue();
    }

    @Test
    void decimalsTakeNumbersThatTheyHoldExactly() {
        DecimalType type = new DecimalType(5, 2);
        assertThat(type.digits(new BigDecimal("1.5"))).contains(BigInteger.valueOf(150));
        assertThat(type.digits(new BigDecimal("-999.990000"))).contains(BigInteger.valueOf(-99_999));
        assertThat(type.digits(new BigDecimal("1E+2"))).contains(BigInteger.valueOf(10_000));
        assertThat(type.digits(new BigDecimal("0E-900"))).contains(BigInteger.ZERO);
        assertThat(type.digits(new BigDecimal("-0E+900"))).contains(BigInteger.ZERO);
        assertThat(type.digits(new BigDecimal("1000"))).isEmpty();
        assertThat(type.digits(new BigDecimal("0.001"))).isEmpty();
        assertThat(type.digits(new BigDecimal("1E+900000000"))).isEmpty();
        assertThat(type.digits(new BigDecimal("1E-900000000"))).isEmpty();
    }

    /** As Spark counts the bytes of a decimal in a Parquet file. */
    @Test
    void decimalsTakeTheFewestBytes() {
        int[] bytes = {1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9};
        for (int precision = 1; precision <= bytes.length; precision++) {
            assertThat(new DecimalType(precision, 0).bytes()).isEqualTo(bytes[precision - 1]);
        }
        assertThat(new DecimalType(38, 0).bytes()).isEqualTo(16);
    }

    /** The values of the Iceberg specification, appendix B. */
    @Test
    void bucketsHashDecimalsAndBytesAsIcebergDoes() {
        PartitionTransform.Bucket bucket = new PartitionTransform.Bucket(Integer.MAX_VALUE);
        int ofDecimal = -500_754_589 & Integer.MAX_VALUE;
        assertThat(bucket.bucket(new DecimalType(9, 2), 1420L)).isEqualTo(ofDecimal);
        assertThat(bucket.bucket(new DecimalType(38, 2), BigInteger.valueOf(1420)))
                .isEqualTo(ofDecimal);
        assertThat(bucket.bucket(ColumnType.BINARY, new byte[] {0, 1, 2, 3}))
                .isEqualTo(-188_683_207 & Integer.MAX_VALUE);
        assertThat(bucket.bucket(ColumnType.SMALLINT, 34L)).isEqualTo(2_017_239_379);
    }

    @Test
    void predicatesFitTheirTypes() {
        Schema schema = Schema.parse("b binary, d decimal(9,2), n timestamp_ntz, t tinyint, c time_ns");
        for (String fits :
                new String[] {"bucket(4, b)", "bucket(4, d)", "hour(n)", "truncate(100, t)", "range(c, 5)"}) {
            assertThat(Predicate.parse(fits).source(schema)).isNotNull();
        }
        assertThat(Predicate.parse("truncate(100, t)").field(schema).type()).isEqualTo(ColumnType.INT);
        for (String misfit : new String[] {"b", "d", "truncate(2, b)", "range(d, 1)", "day(c)"}) {
            assertThat(catching(() -> Predicate.parse(misfit).source(schema))).contains("does not fit column");
        }
    }

    private static String catching(Runnable code) {
        try {
            code.run();
            return "nothing";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    @Test
    void aDatasetHasTheLeastVersionThatKnowsItsTypes() {
        assertThat(DatasetVersion.first(Schema.parse("a string, b timestamp_ns")))
                .isEqualTo(1);
        assertThat(DatasetVersion.first(Schema.parse("a string, b decimal(5,1)")))
                .isEqualTo(3);
        assertThat(DatasetVersion.withSegments(1)).isEqualTo(2);
        assertThat(DatasetVersion.withSegments(3)).isEqualTo(3);
    }

    /** A decimal of more digits, or in place of a whole number, leaves the content hash as it was. */
    @Test
    void theHashOfADecimalDependsOnItsDigitsAlone() {
        RecordHasher hasher = new RecordHasher(HashKind.CURRENT);
        hasher.putLong(2, -1420);
        hasher.endRecord();
        var ofLong = hasher.take();
        hasher.put(2, BigInteger.valueOf(-1420));
        hasher.endRecord();
        assertThat(hasher.take()).isEqualTo(ofLong);
        hasher.put(2, BigInteger.TWO.pow(64).subtract(BigInteger.valueOf(1420)));
        hasher.endRecord();
        assertThat(hasher.take()).isNotEqualTo(ofLong);
    }
}
