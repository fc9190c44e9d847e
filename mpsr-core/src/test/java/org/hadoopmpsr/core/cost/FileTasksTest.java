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
package org.hadoopmpsr.core.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.cost.FileTasks.Piece;
import org.hadoopmpsr.core.group.Codec;
import org.junit.jupiter.api.Test;

/** That Spark packs files so is tested with Spark ({@code FileTasksTest} of its connector). */
class FileTasksTest {
    private static final long MB = 1 << 20;

    private static List<Piece> files(int count, long length, double ms) {
        return Collections.nCopies(count, new Piece(length, ms));
    }

    @Test
    void smallerPiecesAreMoreTasksAndEachCosts() {
        // 16 MB in one piece for one task at a time: 4 pieces of 4 MB are 4 tasks, each with 1 ms besides
        assertThat(FileTasks.doneMs(files(1, 16 * MB, 8), 1, 32 * MB, 1)).isEqualTo(8 + 1);
        assertThat(FileTasks.doneMs(files(1, 16 * MB, 8), 1, 4 * MB, 1)).isEqualTo(8 + 4);
        assertThat(FileTasks.doneMs(files(1, 16 * MB, 8), 4, 4 * MB, 1)).isEqualTo(8 / 4 + 1);
    }

    @Test
    void nothingIsDoneAtOnce() {
        assertThat(FileTasks.doneMs(List.of(), 8)).isZero();
    }

    @Test
    void evenFilesAreDividedEvenly() {
        assertThat(FileTasks.doneMs(files(16, 8 * MB, 10), 8)).isEqualTo(20);
        assertThat(FileTasks.doneMs(files(4, 100, 5), 2)).isEqualTo(10);
        assertThat(FileTasks.doneMs(files(3, 100, 5), 8)).isEqualTo(5);
        assertThat(FileTasks.doneMs(files(16, 8 * MB, 10), 8))
                .isLessThan(FileTasks.doneMs(files(16, 8 * MB, 10), 2) / 3);
        // two do not fit into one task, and eight are at work when the ninth is left
        assertThat(FileTasks.doneMs(files(9, 8 * MB, 10), 8)).isEqualTo(20);
    }

    @Test
    void anOddByteMakesNoTaskMore() {
        List<Piece> odd = new ArrayList<>(files(3, 500_000, 5));
        odd.add(new Piece(500_001, 5));
        assertThat(FileTasks.doneMs(odd, 2)).isEqualTo(FileTasks.doneMs(files(4, 500_000, 5), 2));
    }

    @Test
    void theLongestFilesAreInOneTask() {
        List<Piece> uneven =
                Stream.of(6 * MB, 2 * MB, MB, MB).map(l -> new Piece(l, l)).toList();
        // 26 MB with what opening counts for: up to 13 MB each, so 6 and 2 for the first and twice 1 for the other
        assertThat(FileTasks.doneMs(uneven, 2)).isEqualTo(8 * MB);
        assertThat(FileTasks.doneMs(files(4, 5 * MB / 2, 5 * MB / 2), 2)).isEqualTo(5 * MB);
    }

    @Test
    void aLongFileIsReadInPieces() {
        assertThat(FileTasks.doneMs(files(1, 8 * MB, 10), 8)).isEqualTo(5);
        // up to 128 MB, and 64 left
        assertThat(FileTasks.doneMs(files(1, 320 * MB, 320), 1)).isCloseTo(320, within(1e-9));
        assertThat(FileTasks.doneMs(files(1, 1000 * MB, 1000), 4)).isCloseTo(256, within(1e-9));
        // 12 MB are 8 for each of two, with what opening counts for
        assertThat(FileTasks.doneMs(files(1, 12 * MB, 12), 2)).isCloseTo(8, within(1e-9));
    }

    @Test
    void moreTasksThanRunAtATimeTakeTheCoreThatIsFreeFirst() {
        // each of 128 MB is a task by itself
        List<Piece> files = Stream.of(4, 1, 2, 5)
                .map(ms -> new Piece(128 * MB, ms.doubleValue()))
                .toList();
        assertThat(FileTasks.doneMs(files, 2)).isEqualTo(1 + 2 + 5);
        assertThat(FileTasks.doneMs(files, 3)).isEqualTo(1 + 5);
        assertThat(FileTasks.doneMs(files, 1)).isEqualTo(12);
    }

    @Test
    void allIsDoneAndNoFasterThanAllCoresAndNoSlowerThanOne() {
        Seeds.forAll(2_000, random -> {
            int parallelism = 1 + random.nextInt(32);
            List<Piece> files = new ArrayList<>();
            for (int i = random.nextInt(60); i > 0; i--) {
                files.add(new Piece((long) Math.exp(random.nextDouble() * 21), random.nextInt(1000)));
            }
            double work = files.stream().mapToDouble(Piece::ms).sum();
            double done = FileTasks.doneMs(files, parallelism);
            assertThat(done).isBetween(work / parallelism * (1 - 1e-9), work * (1 + 1e-9));
            assertThat(FileTasks.doneMs(files, 1)).isCloseTo(work, within(work * 1e-9));
        });
    }

    @Test
    void moreWorkNeverTakesLessThanTheLeast() {
        Seeds.forAll(500, random -> {
            CostModel model =
                    CostModelTest.model(random.nextInt(10), 1 + random.nextInt(1_000), 1 + random.nextInt(64));
            List<Piece> files = new ArrayList<>();
            Work work = Work.NONE;
            for (int i = random.nextInt(100); i > 0; i--) {
                long length = random.nextInt(1 << 26);
                Work read = new Work(1, random.nextDouble() * length, 0);
                files.add(new Piece(length, model.workMs(read, Codec.Kind.ZSTD)));
                work = work.plus(read);
            }
            double least = model.leastMs(work, Codec.Kind.ZSTD) * (1 - 1e-9);
            assertThat(FileTasks.doneMs(files, model.parallelism())).isGreaterThanOrEqualTo(least);
            files.addAll(files(random.nextInt(10), random.nextInt(1 << 28), random.nextInt(10)));
            assertThat(FileTasks.doneMs(files, model.parallelism())).isGreaterThanOrEqualTo(least);
        });
    }
}
