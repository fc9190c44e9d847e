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
package org.hadoopmpsr.core.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers say about accuracy, and which levels are good enough. */
class AccuracyTest {
    private static final double UNKNOWN = Double.POSITIVE_INFINITY;

    private static ReadLevel level(ReadLevel.Kind kind, double error) {
        return new ReadLevel(List.of(0), kind, error);
    }

    @Test
    void textsAreRead() {
        assertThat(Accuracy.parse("abs=0.01")).isEqualTo(Accuracy.ofAbsolute(0.01));
        assertThat(Accuracy.parse(" REL = 1e-3 ")).isEqualTo(Accuracy.ofRelative(1e-3));
        assertThat(Accuracy.parse("bits=9")).isEqualTo(Accuracy.ofRelative(1.0 / 512));
        assertThat(Accuracy.parse("abs=1,rel=0.5,abs=2")).isEqualTo(new Accuracy(1, 0.5));
        assertThat(Accuracy.parse("exact").isExact()).isTrue();
        for (String text : List.of("exact", "abs=0.01", "rel=0.001", "abs=2.0,rel=1.0E-300")) {
            assertThat(Accuracy.parse(Accuracy.parse(text).text())).isEqualTo(Accuracy.parse(text));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0.01",
                "abs",
                "abs=",
                "abs=-1",
                "abs=0",
                "abs=NaN",
                "abs=Infinity",
                "rel=1",
                "bits=0",
                "bits=53",
                "bits=1.5"
            })
    void othersAreRefused(String text) {
        assertThatThrownBy(() -> Accuracy.parse(text))
                .hasMessageContaining("'" + text + "' is no accuracy: write abs=0.01 for the greatest difference");
    }

    @Test
    void levelsAreGoodEnoughOrNot() {
        ReadLevel absolute = level(ReadLevel.Kind.ABSOLUTE, 0.01);
        assertThat(Accuracy.parse("abs=0.01").isMetBy(absolute, UNKNOWN)).isTrue();
        assertThat(Accuracy.parse("abs=0.009").isMetBy(absolute, UNKNOWN)).isFalse();
        assertThat(Accuracy.parse("rel=0.9").isMetBy(absolute, UNKNOWN)).isFalse();
        assertThat(Accuracy.parse("abs=1,rel=0.9").isMetBy(absolute, UNKNOWN)).isFalse();
        ReadLevel relative = level(ReadLevel.Kind.RELATIVE, 0.03125);
        assertThat(Accuracy.parse("rel=0.04").isMetBy(relative, UNKNOWN)).isTrue();
        assertThat(Accuracy.parse("bits=6").isMetBy(relative, UNKNOWN)).isFalse();
        assertThat(Accuracy.parse("abs=1").isMetBy(relative, UNKNOWN)).isFalse();
        assertThat(Accuracy.parse("abs=1").isMetBy(relative, 31)).isTrue();
        assertThat(Accuracy.parse("abs=1").isMetBy(relative, 32)).isFalse();
        assertThat(Accuracy.parse("abs=1e-320").isMetBy(relative, 0)).isFalse();
        assertThat(Accuracy.EXACT.isMetBy(relative, 0)).isFalse();
        assertThat(Accuracy.EXACT.isMetBy(ReadLevel.exact(List.of(0)), UNKNOWN)).isTrue();
    }
}
