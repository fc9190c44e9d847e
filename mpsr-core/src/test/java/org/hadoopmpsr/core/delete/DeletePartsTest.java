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
package org.hadoopmpsr.core.delete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.delete.DeleteParts.Work;
import org.junit.jupiter.api.Test;

class DeletePartsTest {
    private static final Work A = new Work("a", 4, Map.of("d1", 3, "d2", 2));
    private static final Work B = new Work("b", 4, Map.of("d1", 3));
    private static final Work C = new Work("c", 0, Map.of("d2", 1));

    @Test
    void whatFitsIsOneChange() {
        assertThat(new DeleteParts(8, 6).of(List.of(A, B, C))).containsExactly(List.of(A, B, C));
        assertThat(new DeleteParts(8, 6).of(List.of())).isEmpty();
    }

    @Test
    void anotherChangeBeginsWhereFilesAreTooMany() {
        assertThat(new DeleteParts(7, 6).of(List.of(A, B, C))).containsExactly(List.of(A), List.of(B, C));
        assertThat(new DeleteParts(8, 5).of(List.of(A, B, C))).containsExactly(List.of(A), List.of(B, C));
        assertThat(new DeleteParts(8, 3).of(List.of(A, C, B))).containsExactly(List.of(A, C), List.of(B));
    }

    /** The NameNode keeps the ids of the segments in extended attributes. */
    @Test
    void anotherChangeBeginsWhereSegmentsAreTooMany() {
        List<Work> many = IntStream.range(100_000, 110_000)
                .mapToObj(i -> new Work("a-segment-with-a-long-name-" + i, 0, Map.of()))
                .toList();
        List<List<Work>> changes = new DeleteParts(8, 6).of(many);
        assertThat(changes).hasSize(2);
        assertThat(changes.stream().flatMap(List::stream)).containsExactlyElementsOf(many);
    }

    @Test
    void aSegmentThatIsTooLargeIsNamed() {
        assertThatThrownBy(() -> new DeleteParts(3, 6).of(List.of(C, A)))
                .hasMessageStartingWith(
                        "segment a is too large for one change: it takes 4 new files, and 3 old and new");
    }

    @Test
    void aSegmentHasTheFateThatOneGroupTells() {
        List<FileFate> unknown = List.of(FileFate.STAYS, FileFate.READ);
        List<FileFate> stays = List.of(FileFate.STAYS);
        List<FileFate> goes = List.of(FileFate.GOES, FileFate.GOES);
        assertThat(FileFate.ofSegment(List.of(unknown, stays))).isEqualTo(FileFate.STAYS);
        assertThat(FileFate.ofSegment(List.of(goes, unknown))).isEqualTo(FileFate.GOES);
        assertThat(FileFate.ofSegment(List.of(unknown, unknown))).isEqualTo(FileFate.READ);
        assertThat(FileFate.ofSegment(List.of(goes, stays))).isEqualTo(FileFate.READ);
    }
}
