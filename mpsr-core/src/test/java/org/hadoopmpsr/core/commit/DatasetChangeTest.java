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
import org.junit.jupiter.api.Test;

class DatasetChangeTest {
    private static final CommitSource SOURCE = new CommitSource("t", 0, 0, 10);

    @Test
    void anAppendNeedsSourcesOfDifferentPartitions() {
        assertThat(DatasetChange.append("c", List.of(SOURCE)).problem()).isEmpty();
        assertThat(DatasetChange.append("c", List.of(SOURCE, new CommitSource("t", 1, 0, 10)))
                        .problem())
                .isEmpty();
        assertThat(DatasetChange.append("c", List.of()).problem())
                .get()
                .asString()
                .startsWith("it names no source");
        assertThat(DatasetChange.append("c", List.of(SOURCE, new CommitSource("t", 0, 10, 20)))
                        .problem())
                .get()
                .asString()
                .startsWith("it names partition 0 of topic 't' twice");
        assertThat(new DatasetChange("c", DatasetChange.Kind.APPEND, List.of(SOURCE), List.of("a"), null).problem())
                .get()
                .asString()
                .startsWith("it appends records and names segments to remove");
    }

    @Test
    void aRewriteNeedsOtherSegmentsEachOnce() {
        assertThat(DatasetChange.rewrite("c", List.of("a", "b")).problem()).isEmpty();
        assertThat(DatasetChange.rewrite("c", List.of()).problem())
                .get()
                .asString()
                .startsWith("it names no segment to remove");
        assertThat(DatasetChange.rewrite("c", List.of("a", "a")).problem()).contains("it removes segment 'a' twice");
        assertThat(DatasetChange.rewrite("c", List.of("c")).problem())
                .get()
                .asString()
                .startsWith("it removes the segment that it makes");
        assertThat(DatasetChange.rewrite("c", List.of("../x")).problem())
                .contains("it removes '../x', which cannot be the id of a segment");
        assertThat(new DatasetChange("c", DatasetChange.Kind.REWRITE, List.of(SOURCE), List.of("a"), null).problem())
                .get()
                .asString()
                .startsWith("it rewrites segments and names sources");
    }

    @Test
    void anAdoptionNamesEachFileOnceAndNoSegment() {
        assertThat(adopt(List.of(), List.of(7L, 8L)).problem()).isEmpty();
        assertThat(adopt(List.of(), List.of()).problem().orElseThrow()).contains("does not name the default group");
        assertThat(adopt(List.of("a"), List.of(7L)).problem().orElseThrow()).contains("and no segment");
        assertThat(adopt(List.of(), List.of(7L, 7L)).problem()).contains("it replaces file 7 twice");
        assertThat(adopt(List.of(), List.of(0L)).problem().orElseThrow()).contains("inode ids are greater than 0");
        Rebuild files = new Rebuild("time", List.of(), List.of(7L));
        assertThat(new DatasetChange("c", DatasetChange.Kind.ADOPT, List.of(), List.of("a"), files).problem())
                .get()
                .asString()
                .startsWith("it adopts files, and names segments to remove");
    }

    private static DatasetChange adopt(List<String> segments, List<Long> files) {
        return DatasetChange.adopt("adopt-1", new Rebuild("time", segments, files));
    }

    @Test
    void aRebuildNamesAGroupAndSegmentsAndEachFileOnce() {
        assertThat(rebuild(List.of("a"), List.of(7L, 8L)).problem()).isEmpty();
        assertThat(rebuild(List.of("a"), List.of()).problem()).isEmpty();
        assertThat(rebuild(List.of(), List.of(7L)).problem().orElseThrow()).contains("names no segment");
        assertThat(rebuild(List.of("a", "a"), List.of()).problem().orElseThrow())
                .contains("rebuilds segment 'a' twice");
        assertThat(rebuild(List.of("a/b"), List.of()).problem().orElseThrow()).contains("'a/b'");
        assertThat(rebuild(List.of("a"), List.of(7L, 7L)).problem().orElseThrow())
                .contains("replaces file 7 twice");
        assertThat(rebuild(List.of("a"), List.of(-7L)).problem().orElseThrow()).contains("file -7");
        assertThat(new DatasetChange("c", DatasetChange.Kind.REBUILD, List.of(), List.of(), null)
                        .problem()
                        .orElseThrow())
                .contains("names no group");
        Rebuild some = new Rebuild("g", List.of("a"), List.of());
        assertThat(DatasetChange.rebuild("c", some).problem().orElseThrow()).contains("must start with 'rebuild-'");
        assertThat(new DatasetChange("c", DatasetChange.Kind.REWRITE, List.of(), List.of("a"), some)
                        .problem()
                        .orElseThrow())
                .contains("only a rebuild");
        assertThat(new DatasetChange("c", DatasetChange.Kind.REBUILD, List.of(), List.of("a"), some)
                        .problem()
                        .orElseThrow())
                .contains("only a rewrite removes segments");
    }

    private static DatasetChange rebuild(List<String> segments, List<Long> replaces) {
        return DatasetChange.rebuild("rebuild-c", new Rebuild("g", segments, replaces));
    }
}
