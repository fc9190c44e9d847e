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
package org.hadoopmpsr.mount.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.core.assign.ReadCost;
import org.junit.jupiter.api.Test;

/** The form of the values is part of the interface: these texts must not change. */
class HostsTest {
    private static final ReadCost COST = new ReadCost(1, 100_000, 1, 10_000);

    private static BlockLocation block(long offset, long length, String... hosts) {
        return new BlockLocation(hosts, hosts, offset, length);
    }

    private static LocatedFileStatus file(String name, BlockLocation... blocks) {
        long length = 0;
        for (BlockLocation block : blocks) {
            length += block.getLength();
        }
        return new LocatedFileStatus(new FileStatus(length, false, 1, 10, 0, new Path("/d/" + name)), blocks);
    }

    @Test
    void aLineForEachBlock() throws Exception {
        List<BlockLocation> blocks = List.of(block(0, 10, "a.test", "b.test"), block(10, 3, "b.test"), block(13, 1));
        assertThat(Hosts.blocks(blocks)).isEqualTo("0 10 a.test,b.test\n10 3 b.test\n13 1 \n");
        assertThat(Hosts.blocks(List.of())).isEmpty();
        assertThat(Hosts.blocksFrom(10, blocks)).isEqualTo("10 3 b.test\n13 1 \n");
        assertThat(Hosts.blocksFrom(9, blocks)).startsWith("0 10 ");
        assertThat(Hosts.blocksFrom(14, blocks)).isEmpty();
    }

    @Test
    void aHostWithSeveralDataNodesCountsOnce() throws Exception {
        BlockLocation twice = block(0, 10, "a.test", "b.test", "a.test");
        assertThat(Hosts.blocks(List.of(twice))).isEqualTo("0 10 a.test,b.test\n");
        assertThat(Hosts.bytes(List.of(file("x", twice)))).isEqualTo("a.test 10\nb.test 10\n");
    }

    @Test
    void longListsComeInParts() throws Exception {
        List<BlockLocation> blocks = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            blocks.add(block(i * 100L, 100, "host-" + i + ".example.org", "other-" + i + ".example.org"));
        }
        String whole = Hosts.blocks(blocks);
        StringBuilder parts = new StringBuilder();
        int count = 0;
        for (long offset = 0; offset < 300_000; count++) {
            String part = Hosts.blocksFrom(offset, blocks);
            assertThat(part.getBytes(StandardCharsets.UTF_8).length).isBetween(1, 65_536);
            parts.append(part);
            String[] last = part.substring(part.lastIndexOf('\n', part.length() - 2) + 1)
                    .split(" ");
            offset = Long.parseLong(last[0]) + Long.parseLong(last[1]);
        }
        assertThat(parts.toString()).isEqualTo(whole);
        assertThat(count).isGreaterThan(2);
    }

    @Test
    void theHostWithTheMostComesFirst() throws Exception {
        assertThat(Hosts.bytes(List.of(
                        file("x", block(0, 10, "a.test", "b.test"), block(10, 3, "b.test")),
                        file("y", block(0, 5, "c.test", "b.test")))))
                .isEqualTo("b.test 18\na.test 10\nc.test 5\n");
        assertThat(Hosts.bytes(List.of(file("empty")))).isEmpty();
    }

    @Test
    void filesAreAssignedToTheirHosts() throws Exception {
        assertThat(Hosts.assignment(
                        List.of(
                                file("2\n%", block(0, 1_000_000, "b.test")),
                                file("1 x", block(0, 1_000_000, "a.test")),
                                file("3", block(0, 1_000_000, "c.test"))),
                        COST))
                .isEqualTo("a.test 1 x\nb.test 2%0A%25\nc.test 3\n");
        assertThat(Hosts.assignment(List.of(file("empty")), COST)).isEmpty();
    }
}
