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
package org.hadoopmpsr.core.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DesignedGridTest {
    private static final Map<String, List<String>> VALUES = Map.of(
            "a",
            List.of("1", "2", "3", "4"),
            "b",
            List.of("1", "2", "3"),
            "c",
            List.of("1", "2"),
            "d",
            List.of("1", "2"));
    private static final Settings FIRST = new Settings(Map.of("a", "2", "b", "1", "c", "2", "d", "1"));

    @Test
    void combinationsAreDifferentAndValuesAreUsedAboutEquallyOften() {
        List<Settings> chosen = DesignedGrid.of(VALUES, FIRST, 24, 7);

        assertThat(chosen).hasSize(24).startsWith(FIRST).doesNotHaveDuplicates();
        VALUES.forEach((key, values) -> values.forEach(value -> assertThat(chosen.stream()
                        .filter(settings -> value.equals(settings.values().get(key))))
                .as(key + "=" + value)
                .hasSizeBetween(24 / values.size() - 3, 24 / values.size() + 3)));
    }

    @Test
    void allCombinationsAreChosenWhereMoreAreAskedFor() {
        assertThat(new HashSet<>(DesignedGrid.of(VALUES, FIRST, 1000, 7))).hasSize(48);
    }

    @Test
    void equalSeedsChooseEqually() {
        assertThat(DesignedGrid.of(VALUES, FIRST, 24, 7))
                .isEqualTo(DesignedGrid.of(VALUES, FIRST, 24, 7))
                .isNotEqualTo(DesignedGrid.of(VALUES, FIRST, 24, 8));
    }
}
