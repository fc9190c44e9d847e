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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.group.Codec;
import org.junit.jupiter.api.Test;

public class CostModelTest {
    /** A model whose disks are so fast that only opening and decompressing count. */
    public static CostModel model(double openMs, double bytesPerMs, int parallelism) {
        Map<Codec.Kind, Double> decompress =
                Codec.Kind.OF_FILES.stream().collect(Collectors.toMap(Function.identity(), k -> bytesPerMs));
        return new CostModel(openMs, new ReadCost(0, 1e15, 0, 1e15), decompress, 1e15, parallelism);
    }

    private static double workMs(CostModel model, int files, long bytes) {
        return model.workMs(new Work(files, bytes, 0), Codec.Kind.ZSTD);
    }

    @Test
    void filesAndBytesTakeTheirTime() {
        CostModel model = model(5, 1_000, 1);
        assertThat(workMs(model, 3, 2_000_000)).isCloseTo(2_015, within(1e-6));
        assertThat(workMs(model, 1_000, 2_000_000_000)).isCloseTo(2_005_000, within(1e-3));
        assertThat(workMs(model, 0, 0)).isZero();
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
        assertThat(model.workMs(new Work(1, 2_000, 0), Codec.Kind.ZSTD)).isEqualTo(3);
        assertThat(model.workMs(new Work(1, 2_000, 0), Codec.Kind.SNAPPY)).isEqualTo(2);
        assertThat(model.workMs(new Work(1, 2_000, 500), Codec.Kind.SNAPPY)).isEqualTo(12);
    }

    @Test
    void aReaderThatSaysHowManyTasksItRunsIsBelieved() {
        CostModel model = model(5, 1_000, 2);
        assertThat(model.forTasks(8)).isEqualTo(model(5, 1_000, 8));
        assertThat(model.forTasks(0)).isSameAs(model);
    }

    @Test
    void whatIsNotLocalComesThroughTheNetworkToo() {
        CostModel model = new CostModel(
                5, new ReadCost(2, 2_000, 3, 500), model(5, 1_000, 1).decompressBytesPerMs(), 1e15, 1);
        Work work = new Work(4, 20_000, 0);
        double local = model.workMs(work, Codec.Kind.ZSTD);
        assertThat(local).isEqualTo(4 * 5 + 10 + 20);
        assertThat(model.forLocalShare(1)).isSameAs(model);
        assertThat(model.forLocalShare(0).workMs(work, Codec.Kind.ZSTD)).isCloseTo(local + 4 * 3 + 40, within(1e-9));
        assertThat(model.forLocalShare(0.75).workMs(work, Codec.Kind.ZSTD)).isCloseTo(local + 3 + 10, within(1e-9));
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> new CostModel(1, new ReadCost(0, 1, 0, 1), Map.of(), 1, 1))
                .hasMessage("the decompression rate of ZSTD is missing or not above 0");
    }
}
