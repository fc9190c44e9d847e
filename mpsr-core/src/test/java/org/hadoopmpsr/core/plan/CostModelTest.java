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
package org.hadoopmpsr.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.group.Codec;
import org.junit.jupiter.api.Test;

class CostModelTest {
    private static final long MB = 1 << 20;

    /** A model whose disks are so fast that only opening and decompressing count. */
    static CostModel model(double openMs, double bytesPerMs, int parallelism) {
        Map<Codec.Kind, Double> decompress =
                Arrays.stream(Codec.Kind.values()).collect(Collectors.toMap(Function.identity(), k -> bytesPerMs));
        return new CostModel(openMs, new ReadCost(0, 1e15, 0, 1e15), decompress, 1e15, parallelism);
    }

    private static double costMs(CostModel model, int files, long bytes) {
        return model.costMs(new Work(files, bytes, 0), Codec.Kind.ZSTD);
    }

    @Test
    void oneTaskAtATimeTakesAsLongAsTheWork() {
        CostModel model = model(5, 1_000, 1);
        assertThat(costMs(model, 3, 2_000_000)).isCloseTo(2_015, within(1e-6));
        assertThat(costMs(model, 1_000, 2_000_000_000)).isCloseTo(2_005_000, within(1e-3));
        assertThat(costMs(model, 0, 0)).isZero();
    }

    @Test
    void diskDecompressionAndValuesTakeTheirTime() {
        CostModel model = new CostModel(
                0,
                new ReadCost(0, 2_000, 0, 1),
                Map.of(
                        Codec.Kind.ZSTD, 1_000.0,
                        Codec.Kind.SNAPPY, 2_000.0,
                        Codec.Kind.LZ4_RAW, 1.0,
                        Codec.Kind.GZIP, 1.0,
                        Codec.Kind.NONE, 1.0),
                50,
                1);
        assertThat(model.costMs(new Work(1, 2_000, 0), Codec.Kind.ZSTD)).isEqualTo(3);
        assertThat(model.costMs(new Work(1, 2_000, 0), Codec.Kind.SNAPPY)).isEqualTo(2);
        assertThat(model.costMs(new Work(1, 2_000, 500), Codec.Kind.SNAPPY)).isEqualTo(12);
    }

    /** 16 files of 8 MB are 16 tasks; one file of 64 MB is read by as many tasks as there are pieces of 4 MB and more. */
    @Test
    void tasksRunInWaves() {
        CostModel model = model(0, 1_000, 8);
        double oneFile = 8.0 * MB / 1_000;
        assertThat(costMs(model, 1, 8 * MB)).isCloseTo(oneFile / 2, within(1.0));
        assertThat(costMs(model, 16, 16 * 8 * MB)).isCloseTo(2 * oneFile, within(1.0));
        // nine files need no second wave: Spark makes as many tasks as run at a time
        assertThat(costMs(model, 9, 9 * 8 * MB)).isLessThan(1.3 * oneFile * 9 / 8);
    }

    @Test
    void aShortFileIsOneTaskHoweverManyRun() {
        assertThat(costMs(model(5, 1_000, 8), 1, 1_000)).isCloseTo(6, within(1e-9));
        assertThat(costMs(model(5, 1_000, 8), 3, 3_000)).isCloseTo(6, within(1e-9));
        assertThat(costMs(model(5, 1_000, 2), 4, 0)).isCloseTo(10, within(1e-9));
    }

    @Test
    void anOddByteMakesNoTaskMore() {
        CostModel model = model(0, 1_000, 2);
        assertThat(costMs(model, 4, 2_000_001)).isCloseTo(costMs(model, 4, 2_000_000), within(1e-2));
    }

    @Test
    void aReaderThatSaysHowManyTasksItRunsIsBelieved() {
        CostModel model = model(5, 1_000, 2);
        assertThat(model.forTasks(8)).isEqualTo(model(5, 1_000, 8));
        assertThat(model.forTasks(0)).isSameAs(model);
        assertThat(costMs(model.forTasks(8), 16, 16 * 8 * MB)).isLessThan(costMs(model, 16, 16 * 8 * MB) / 3);
    }

    @Test
    void whatIsNotLocalComesThroughTheNetworkToo() {
        CostModel model = new CostModel(
                5, new ReadCost(2, 2_000, 3, 500), model(5, 1_000, 1).decompressBytesPerMs(), 1e15, 1);
        Work work = new Work(4, 20_000, 0);
        double local = model.costMs(work, Codec.Kind.ZSTD);
        assertThat(local).isEqualTo(4 * 5 + 10 + 20);
        assertThat(model.forLocalShare(1)).isSameAs(model);
        assertThat(model.forLocalShare(0).costMs(work, Codec.Kind.ZSTD)).isCloseTo(local + 4 * 3 + 40, within(1e-9));
        assertThat(model.forLocalShare(0.75).costMs(work, Codec.Kind.ZSTD)).isCloseTo(local + 3 + 10, within(1e-9));
    }

    @Test
    void moreWorkNeverCostsLessThanTheLeast() {
        Seeds.forAll(500, random -> {
            CostModel model = model(random.nextInt(10), 1 + random.nextInt(1_000), 1 + random.nextInt(64));
            int files = random.nextInt(100);
            long bytes = random.nextInt(1 << 30);
            double least = model.leastMs(new Work(files, bytes, 0), Codec.Kind.ZSTD);
            assertThat(costMs(model, files, bytes)).isGreaterThanOrEqualTo(least * (1 - 1e-9));
            assertThat(costMs(model, files + random.nextInt(10), bytes + random.nextInt(1 << 28)))
                    .isGreaterThanOrEqualTo(least * (1 - 1e-9));
        });
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> new CostModel(1, new ReadCost(0, 1, 0, 1), Map.of(), 1, 1))
                .hasMessage("the decompression rate of ZSTD is missing or not above 0");
    }
}
