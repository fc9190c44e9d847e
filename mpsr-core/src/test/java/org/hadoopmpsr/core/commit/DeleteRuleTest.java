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
import java.util.Set;
import org.hadoopmpsr.core.commit.DeleteRule.Contents;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.junit.jupiter.api.Test;

class DeleteRuleTest {
    private static final List<String> GROUPS = List.of("time", "signal");

    private static ContentHashes hash(HashKind kind, long count, long sum) {
        return ContentHashes.of(new ContentHash(kind, count, 0, sum));
    }

    private static ContentHashes of(long count, long sum) {
        return hash(HashKind.XXH_128, count, sum);
    }

    /** Of one segment, whose records are in one directory of each group. */
    private static Contents contents(ContentHashes time, ContentHashes signal) {
        return new Contents(Map.of("s", Map.of("time", time, "signal", signal)), Map.of("/t", time, "/s", signal));
    }

    private static Optional<String> problem(
            Contents held, Contents kept, ContentHashes inTime, ContentHashes inSignal) {
        return DeleteRule.problem(GROUPS, Set.of(), List.of("s"), held, kept, Map.of("/t", inTime, "/s", inSignal));
    }

    @Test
    void whatStaysAndWhatGoesIsWhatWasThere() {
        Contents held = contents(of(10, 100), of(10, 100));
        assertThat(problem(held, contents(of(7, 60), of(7, 60)), of(3, 40), of(3, 40)))
                .isEmpty();
        ContentHashes none = ContentHashes.EMPTY;
        assertThat(problem(held, contents(none, none), of(10, 100), of(10, 100)))
                .isEmpty();
        assertThat(problem(held, new Contents(Map.of(), Map.of()), of(10, 100), of(10, 100)))
                .isEmpty();
    }

    @Test
    void groupsLoseTheSame() {
        Contents held = contents(of(10, 100), of(10, 100));
        assertThat(problem(held, contents(of(7, 60), of(7, 61)), of(3, 40), of(3, 39)))
                .get()
                .asString()
                .startsWith("the groups do not lose the same records of segment s (time: 3 records");
        assertThat(problem(held, contents(of(7, 60), of(6, 60)), of(3, 40), of(4, 40)))
                .isPresent();
    }

    @Test
    void noRecordComes() {
        Contents held = contents(of(10, 100), of(10, 100));
        assertThat(problem(held, contents(of(11, 100), of(11, 100)), of(-1, 0), of(-1, 0)))
                .get()
                .asString()
                .contains("would have 11 records")
                .endsWith("a delete only takes records away");
        assertThat(problem(held, contents(of(10, 99), of(10, 99)), of(0, 1), of(0, 1)))
                .isPresent();
        ContentHashes other = hash(HashKind.SHA_256, 1, 5);
        assertThat(problem(
                        held,
                        contents(of(7, 60).plus(other), of(7, 60).plus(other)),
                        of(3, 40).minus(other),
                        of(3, 40).minus(other)))
                .isPresent();
        assertThat(problem(held, held, ContentHashes.EMPTY, ContentHashes.EMPTY))
                .get()
                .asString()
                .endsWith("leave it out");
    }

    /** A job that misreads a file in the same way when it decides and when it writes would pass without this. */
    @Test
    void whatTheJobHasReadIsCompared() {
        Contents held = contents(of(10, 100), of(10, 100));
        assertThat(problem(held, contents(of(7, 60), of(7, 60)), of(3, 40), of(3, 41)))
                .get()
                .asString()
                .startsWith("of 10 records with hash")
                .contains(" in /s ")
                .endsWith("a file is damaged, or was not read to its end");
    }

    @Test
    void idsTellWhatADeleteHasMade() {
        assertThat(KeptSegment.id("delete-1", 12)).isEqualTo("delete-1.12");
        assertThat(KeptSegment.changeOf("delete-1.12")).isEqualTo("delete-1");
        assertThat(KeptSegment.isOf("delete-1.12", "delete-1")).isTrue();
        assertThat(KeptSegment.isOf("delete-1", "delete-1")).isFalse();
        assertThat(KeptSegment.isOf("delete-11.1", "delete-1")).isFalse();
        for (String other : List.of("delete-.1", "delete-1.", "delete-1.x", "merge-1.2", "delete-1.1234567", "a.1")) {
            assertThat(KeptSegment.changeOf(other)).isEqualTo(other);
        }
        assertThat(DatasetChange.delete("delete-1", List.of("a")).problem()).isEmpty();
        assertThat(DatasetChange.delete("delete-1.1", List.of("a")).problem()).isPresent();
        assertThat(DatasetChange.delete("x", List.of("a")).problem()).isPresent();
        assertThat(DatasetChange.delete("delete-1", List.of()).problem()).isPresent();
        assertThat(DatasetChange.delete("delete-" + "x".repeat(121), List.of("a"))
                        .problem())
                .isPresent();
    }
}
