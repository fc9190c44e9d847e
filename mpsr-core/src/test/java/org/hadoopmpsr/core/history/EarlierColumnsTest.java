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
package org.hadoopmpsr.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumns;
import org.junit.jupiter.api.Test;

class EarlierColumnsTest {
    private static final ShownColumns A = shown("a");
    private static final ShownColumns B = shown("b");
    private static final ShownColumns C = shown("c");

    private static ShownColumns shown(String name) {
        return ShownColumns.of(Schema.parse(name + " int"));
    }

    private static DatasetHistory history(long last, long horizon, Tag... tags) {
        HistoryRecord kept = HistoryRecord.from(horizon);
        for (Tag tag : tags) {
            kept = kept.with(tag);
        }
        return new DatasetHistory(last, new TreeMap<>(), kept);
    }

    @Test
    void statesBeforeAnAlterationHaveTheColumnsOfThen() {
        List<EarlierColumns> earlier = EarlierColumns.with(List.of(), A, history(0, 0));
        earlier = EarlierColumns.with(earlier, B, history(4, 0));
        earlier = EarlierColumns.with(earlier, C, history(4, 0)); // nobody could see C
        assertThat(earlier).containsExactly(new EarlierColumns(0, A), new EarlierColumns(4, B));
        assertThat(EarlierColumns.at(earlier, 0)).contains(A);
        assertThat(EarlierColumns.at(earlier, 1)).contains(B);
        assertThat(EarlierColumns.at(earlier, 4)).contains(B);
        assertThat(EarlierColumns.at(earlier, 5)).isEmpty();
    }

    @Test
    void whatNobodyCanReadIsForgotten() {
        List<EarlierColumns> earlier =
                List.of(new EarlierColumns(3, A), new EarlierColumns(6, B), new EarlierColumns(9, C));
        assertThat(EarlierColumns.with(earlier, A, history(9, 7))).containsExactly(earlier.get(2));
        assertThat(EarlierColumns.with(earlier, A, history(9, 6))).containsExactly(earlier.get(1), earlier.get(2));
        assertThat(EarlierColumns.with(earlier, A, history(9, 9, new Tag("t", 2, 0, ""))))
                .containsExactly(earlier.get(0), earlier.get(2));
        assertThat(EarlierColumns.with(earlier, A, history(9, 9, new Tag("t", 4, 0, ""))))
                .containsExactly(earlier.get(1), earlier.get(2));
    }
}
