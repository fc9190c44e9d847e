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
package org.hadoopmpsr.core.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class ValueSummaryTest {
    private static final int RUNS = Integer.getInteger("mpsr.reductions", 200);

    private static ValueSummary of(double... values) {
        ValueSummary summary = new ValueSummary();
        for (double value : values) {
            summary.add(value);
        }
        return summary;
    }

    private static ValueSummary sent(ValueSummary summary) {
        return ValueSummary.read(ByteBuffer.wrap(summary.toBytes()));
    }

    /** Splits at random, merges in a random order, and sends some parts as bytes. */
    private static ValueSummary inParts(Random random, List<Double> values) {
        List<ValueSummary> parts = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(5); i++) {
            parts.add(new ValueSummary());
        }
        for (Double value : values) {
            ValueSummary part = parts.get(random.nextInt(parts.size()));
            if (value == null) {
                part.addNull();
            } else {
                part.add(value);
            }
        }
        while (parts.size() > 1) {
            ValueSummary one = parts.remove(random.nextInt(parts.size()));
            ValueSummary other = parts.get(random.nextInt(parts.size()));
            other.merge(random.nextBoolean() ? one : sent(one));
        }
        return parts.get(0);
    }

    @Test
    void anySplitGivesTheSame() {
        Seeds.forAll(RUNS, random -> {
            List<Double> values = new ArrayList<>();
            ValueSummary whole = new ValueSummary();
            for (int i = random.nextInt(60); i > 0; i--) {
                Double value = random.nextInt(9) == 0 ? null : Double.valueOf(TestValues.any(random));
                values.add(value);
                if (value == null) {
                    whole.addNull();
                } else {
                    whole.add(value);
                }
            }
            ValueSummary parts = inParts(random, values);
            assertThat(parts.records()).isEqualTo(whole.records()).isEqualTo(values.size());
            assertThat(parts.nulls()).isEqualTo(whole.nulls());
            assertThat(parts.nans()).isEqualTo(whole.nans());
            assertThat(parts.numbers()).isEqualTo(whole.numbers());
            if (whole.numbers() > 0) {
                assertThat(parts.least()).isEqualTo(whole.least());
                assertThat(parts.greatest()).isEqualTo(whole.greatest());
                assertThat(parts.mean().getAsDouble()).isCloseTo(whole.mean().getAsDouble(), within(1e-12));
            }
            assertThat(parts.deviation().isPresent())
                    .isEqualTo(whole.deviation().isPresent());
            if (whole.deviation().isPresent()) {
                assertThat(parts.deviation().getAsDouble())
                        .isCloseTo(whole.deviation().getAsDouble(), within(1e-12));
            }
        });
    }

    /** Sums of squares of values far from zero lose all digits; the deviation is compared with exact decimals. */
    @Test
    void deviationsOfValuesFarFromZeroAreRight() {
        Seeds.forAll(20, random -> {
            List<Double> values = new ArrayList<>();
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < 1000; i++) {
                double value = 1e9 + random.nextGaussian();
                values.add(value);
                sum = sum.add(new BigDecimal(value));
            }
            BigDecimal mean = sum.divide(new BigDecimal(1000), MathContext.DECIMAL128);
            BigDecimal squares = values.stream()
                    .map(v -> new BigDecimal(v).subtract(mean).pow(2))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            double deviation = Math.sqrt(squares.doubleValue() / 999);
            ValueSummary summary = inParts(random, values);
            assertThat(summary.deviation().getAsDouble()).isCloseTo(deviation, within(1e-6));
            assertThat(summary.mean().getAsDouble()).isCloseTo(mean.doubleValue(), within(1e-6));
        });
    }

    @Test
    void ofNothingThereIsNothing() {
        ValueSummary none = new ValueSummary();
        none.addNull();
        none.add(Double.NaN);
        assertThat(none.records()).isEqualTo(2);
        assertThat(none.numbers()).isZero();
        assertThat(none.mean()).isEmpty();
        assertThat(none.deviation()).isEmpty();
        assertThatThrownBy(none::least).hasMessageContaining("no numbers");
        assertThat(of(3).deviation()).isEmpty();
        assertThat(of(3).mean()).hasValue(3);
        assertThat(of(3, 3).deviation()).hasValue(0);
    }

    @Test
    void infiniteValuesSayWhatIsKnown() {
        assertThat(of(1, Double.POSITIVE_INFINITY).mean()).hasValue(Double.POSITIVE_INFINITY);
        assertThat(of(Double.NEGATIVE_INFINITY, 1).mean()).hasValue(Double.NEGATIVE_INFINITY);
        ValueSummary both = of(Double.POSITIVE_INFINITY, 1, Double.NEGATIVE_INFINITY);
        assertThat(both.mean()).hasValue(Double.NaN);
        assertThat(both.deviation()).hasValue(Double.NaN);
        assertThat(ValueOrder.toDouble(both.least())).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(ValueOrder.toDouble(both.greatest())).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void meansOfTheGreatestNumbersDoNotOverflow() {
        double max = Double.MAX_VALUE;
        assertThat(of(max, -max).mean()).hasValue(0);
        assertThat(of(max, -max).deviation()).hasValue(Double.POSITIVE_INFINITY);
        ValueSummary low = of(-max, -max);
        low.merge(of(max, max));
        assertThat(low.mean()).hasValue(0);
        assertThat(of(max, max, max).mean()).hasValue(max);
    }

    @Test
    void wholeNumbersKeepAllDigits() {
        ValueSummary summary = new ValueSummary();
        summary.addWhole(Long.MAX_VALUE);
        summary.addWhole(Long.MAX_VALUE - 1);
        summary.addWhole(Long.MIN_VALUE + 1);
        assertThat(summary.greatest()).isEqualTo(Long.MAX_VALUE);
        assertThat(summary.least()).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(sent(summary).greatest()).isEqualTo(Long.MAX_VALUE);
    }
}
