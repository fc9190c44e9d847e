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
package org.hadoopmpsr.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.core.commit.DeleteRule.Contents;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.junit.jupiter.api.Test;

class RollbackRuleTest {
    private static final List<String> GROUPS = List.of("time", "signal");

    private static ContentHashes of(long count, long sum) {
        return ContentHashes.of(new ContentHash(HashKind.XXH_128, count, 0, sum));
    }

    private static Contents contents(ContentHashes time, ContentHashes signal, Map<String, ContentHashes> directories) {
        return new Contents(Map.of("s", Map.of("time", time, "signal", signal)), directories);
    }

    private static Optional<String> problem(Contents had, Contents brought) {
        return RollbackRule.problem(GROUPS, List.of("s"), had, brought);
    }

    @Test
    void allRecordsComeBackWhereTheyWere() {
        Map<String, ContentHashes> places = Map.of("/t/a", of(6, 60), "/t/b", of(4, 40), "/s", of(10, 100));
        Contents had = contents(of(10, 100), of(10, 100), places);
        assertThat(problem(had, had)).isEmpty();
        assertThat(problem(had, contents(of(10, 100), of(9, 90), places)))
                .get()
                .asString()
                .startsWith("group 'signal' would have 9 records with hash ")
                .endsWith("; a rollback restores all records of a segment");
        assertThat(problem(had, contents(of(10, 100), of(10, 101), places))).isPresent();
        Map<String, ContentHashes> moved = Map.of("/t/a", of(4, 40), "/t/b", of(6, 60), "/s", of(10, 100));
        assertThat(problem(had, contents(of(10, 100), of(10, 100), moved)))
                .get()
                .asString()
                .contains("that were in /t/a it restores 4 records");
        assertThat(problem(had, new Contents(Map.of(), Map.of()))).isPresent();
    }

    @Test
    void theChangeSaysWhatGoesAndWhatComes() {
        assertThat(DatasetChange.rollback("rollback-1", List.of("a"), List.of("b"))
                        .problem())
                .isEmpty();
        assertThat(DatasetChange.rollback("rollback-1", List.of(), List.of("b")).problem())
                .isEmpty();
        assertThat(DatasetChange.rollback("rollback-1", List.of("a"), List.of()).problem())
                .isEmpty();
        for (DatasetChange wrong : List.of(
                DatasetChange.rollback("rollback-1", List.of(), List.of()),
                DatasetChange.rollback("rollback-1", List.of("a"), List.of("a")),
                DatasetChange.rollback("rollback-1.1", List.of("a"), List.of("b")),
                DatasetChange.rollback("delete-1", List.of("a"), List.of("b")),
                new DatasetChange(
                        "delete-1", DatasetChange.Kind.DELETE, List.of(), List.of("a"), null, List.of("b")))) {
            assertThat(wrong.problem()).as(wrong.toString()).isPresent();
        }
        assertThat(KeptSegment.changeOf("rollback-1.12")).isEqualTo("rollback-1");
        assertThat(KeptSegment.isOf("rollback-1.12", "rollback-1")).isTrue();
        assertThat(KeptSegment.changeOf("rollback-.1")).isEqualTo("rollback-.1");
        assertThat(DatasetChange.rollback("rollback-1", List.of("a"), List.of("b", "c"))
                        .madeOf())
                .containsExactly("b", "c");
    }
}
