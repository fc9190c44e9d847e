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
package org.hadoopmpsr.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.client.calibration.CalibratedCosts.Decoding;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.readtimes.Cause;
import org.hadoopmpsr.core.readtimes.LinearTime;
import org.hadoopmpsr.core.readtimes.ReadCosts;
import org.hadoopmpsr.core.readtimes.ReadCosts.Expected;
import org.hadoopmpsr.core.readtimes.ReadCosts.Part;
import org.junit.jupiter.api.Test;

/** Classes of reads become configuration that planning reads. */
class CalibratedCostsTest {
    private static final Part CACHED = new Part(Cause.MEMORY, new LinearTime(200_000, 0.5), 300, 300);
    private static final Part DISK = new Part(Cause.DISK, new LinearTime(5_000_000, 6.5), 100, 100);
    private static final Part FAR = new Part(Cause.REMOTE_MEMORY, new LinearTime(700_000, 8.5), 50, 50);
    private static final Part SLOW = new Part(Cause.SLOW_DISK, new LinearTime(50_000_000, 65), 10, 10);
    private static final ReadCosts ALL = new ReadCosts(List.of(CACHED, FAR, DISK, SLOW));

    private static CostModel planned(ReadCosts costs, Expected expected) {
        Map<String, String> properties = CalibratedCosts.ofReads(costs, expected);
        return MpsrConfig.read(properties::get).costs();
    }

    @Test
    void planningReadsTheExpectedClass() {
        assertThat(planned(ALL, Expected.CACHED).read().diskPrepareMs()).isEqualTo(0.2);
        assertThat(planned(ALL, Expected.CACHED).read().diskBytesPerMs()).isEqualTo(2_000_000);
        assertThat(planned(ALL, Expected.DISK).read().diskPrepareMs()).isEqualTo(5);
        assertThat(planned(ALL, Expected.DISK).read().diskBytesPerMs()).isEqualTo(154_000);
        assertThat(planned(ALL, Expected.MIXED).read().diskPrepareMs()).isEqualTo(1.4);
        assertThat(planned(ALL, Expected.MIXED).read().diskBytesPerMs()).isEqualTo(500_000);
        for (Expected expected : Expected.values()) {
            assertThat(planned(ALL, expected).read().networkPrepareMs()).isEqualTo(0.5);
            assertThat(planned(ALL, expected).read().networkBytesPerMs()).isEqualTo(125_000);
            assertThat(CalibratedCosts.ofReads(ALL, expected)).containsEntry("dfs.mpsr.cost.slow.node.factor", "10.0");
        }
    }

    @Test
    void aDiskIsNoFasterThanItReadsBlocks() {
        ReadCosts slower = ALL.withDiskNoFaster(10);
        assertThat(planned(slower, Expected.DISK).read().diskBytesPerMs()).isEqualTo(100_000);
        assertThat(planned(slower, Expected.DISK).read().diskPrepareMs()).isEqualTo(5);
        assertThat(planned(slower, Expected.MIXED).read().diskBytesPerMs())
                .as("three of four reads from memory")
                .isEqualTo(348_000);
        assertThat(CalibratedCosts.ofReads(slower, Expected.CACHED))
                .isEqualTo(CalibratedCosts.ofReads(ALL, Expected.CACHED));
        assertThat(ALL.withDiskNoFaster(5)).isEqualTo(ALL);
        Part farDisk = new Part(Cause.REMOTE_DISK, new LinearTime(5_500_000, 8.5), 50, 50);
        ReadCosts both = new ReadCosts(List.of(DISK, farDisk));
        assertThat(both.withDiskNoFaster(10).network())
                .as("the network is no faster because the disk is slower")
                .isEqualTo(both.network())
                .isPresent();
    }

    @Test
    void whatNoReadTellsStaysAsItIs() {
        ReadCosts level = new ReadCosts(List.of(new Part(Cause.DISK, new LinearTime(4_000_000, 0), 5, 5)));
        assertThat(CalibratedCosts.ofReads(level, Expected.MIXED))
                .containsOnly(Map.entry("dfs.mpsr.cost.disk.prepare.ms", "4.00"));
        ReadCosts far = new ReadCosts(List.of(FAR));
        assertThat(planned(far, Expected.MIXED).read().diskPrepareMs())
                .as("without local reads, remote ones are all there is")
                .isEqualTo(0.7);
        assertThat(CalibratedCosts.properties(
                        new Calibration(), new Decoding(Map.of(), Optional.empty()), ALL, Expected.DISK))
                .isEqualTo(CalibratedCosts.ofReads(ALL, Expected.DISK));
    }
}
