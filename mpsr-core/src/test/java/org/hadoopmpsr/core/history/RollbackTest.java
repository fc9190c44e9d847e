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
import java.util.Map;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.junit.jupiter.api.Test;

class RollbackTest {
    private static Map<String, Segment.Group> held(long records, long sum) {
        Segment.Group group = new Segment.Group(1, 100, new ContentHash(HashKind.XXH_128, records, 0, sum));
        return Map.of("time", group, "signal", group);
    }

    private static Segment current(String id, long since, long records, long sum) {
        return new Segment(id, since, Segment.OPEN, since, since, since, List.of(), held(records, sum), null);
    }

    private static Segment removed(Segment segment, long until, String by) {
        return segment.removed(until, by);
    }

    private static List<String> ids(List<Segment> segments) {
        return segments.stream().map(Segment::id).toList();
    }

    @Test
    void laterSegmentsGoAndRemovedOnesComeBack() {
        List<Segment> known = List.of(
                current("a", 1, 10, 1),
                removed(current("b", 2, 20, 2), 3, "delete-1"),
                current("delete-1.0", 3, 15, 7),
                current("c", 4, 30, 3));
        Rollback rollback = Rollback.to(2, known);
        assertThat(ids(rollback.removes())).containsExactly("delete-1.0", "c");
        assertThat(ids(rollback.restores())).containsExactly("b");
        assertThat(ids(Rollback.to(3, known).removes())).containsExactly("c");
        assertThat(Rollback.to(3, known).restores()).isEmpty();
        assertThat(Rollback.to(4, known).isEmpty()).isTrue();
        assertThat(ids(Rollback.to(0, known).removes())).containsExactly("a", "delete-1.0", "c");
        assertThat(Rollback.to(0, known).restores()).isEmpty();
    }

    @Test
    void mergedSegmentsWithTheSameRecordsStay() {
        Segment a = removed(current("a", 1, 10, 1), 3, "m1");
        Segment b = removed(current("b", 2, 20, 2), 3, "m1");
        assertThat(Rollback.to(2, List.of(a, b, current("m1", 3, 30, 3))).isEmpty())
                .isTrue();
        Segment m1 = removed(current("m1", 3, 30, 3), 5, "m2");
        Segment c = removed(current("c", 4, 40, 4), 5, "m2");
        Rollback rollback = Rollback.to(2, List.of(a, b, m1, c, current("m2", 5, 70, 7)));
        assertThat(ids(rollback.removes())).containsExactly("m2");
        assertThat(ids(rollback.restores())).containsExactly("a", "b");
        // without a duplicate
        assertThat(ids(Rollback.to(2, List.of(a, b, current("m1", 3, 29, 2))).restores()))
                .containsExactly("a", "b");
        // nobody knows the hash
        assertThat(Rollback.to(2, List.of(removed(current("a", 1, 10, 0), 3, "m1"), current("m1", 3, 10, 0)))
                        .isEmpty())
                .isFalse();
    }

    @Test
    void anOverwriteHasOtherRecords() {
        Segment a = removed(current("a", 1, 10, 1), 3, "overwrite-1");
        Segment b = removed(current("b", 2, 20, 2), 3, "overwrite-1");
        List<Segment> known = List.of(a, b, current("overwrite-1", 3, 5, 9), current("c", 4, 30, 3));
        Rollback rollback = Rollback.to(2, known);
        assertThat(ids(rollback.removes())).containsExactly("overwrite-1", "c");
        assertThat(ids(rollback.restores())).containsExactly("a", "b");
        // a has come back, and b has not
        Segment again = current("d", 5, 10, 1);
        assertThat(ids(Rollback.to(2, List.of(a, b, current("overwrite-1", 3, 5, 9), again))
                        .restores()))
                .containsExactly("b");
    }

    @Test
    void whatWasRestoredIsNotRestoredAgain() {
        Segment s = removed(current("s", 1, 10, 1), 2, "delete-1");
        Segment kept = removed(current("delete-1.0", 2, 6, 5), 4, "rollback-1");
        Segment late = removed(current("late", 3, 20, 2), 4, "rollback-1");
        List<Segment> known = List.of(s, kept, late, current("rollback-1.0", 4, 10, 1));
        assertThat(Rollback.to(1, known).isEmpty()).isTrue();
        Rollback back = Rollback.to(3, known);
        assertThat(ids(back.removes())).containsExactly("rollback-1.0");
        assertThat(ids(back.restores())).containsExactlyInAnyOrder("delete-1.0", "late");
        // restored, and merged with what the state had too
        Segment x = removed(current("x", 1, 7, 9), 5, "m1");
        List<Segment> merged = List.of(
                s, kept, late, x, removed(current("rollback-1.0", 4, 10, 1), 5, "m1"), current("m1", 5, 17, 10));
        assertThat(Rollback.to(1, merged).isEmpty()).isTrue();
    }
}
