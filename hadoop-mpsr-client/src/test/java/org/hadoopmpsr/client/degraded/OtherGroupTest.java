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
package org.hadoopmpsr.client.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.core.degraded.LostFile;
import org.hadoopmpsr.core.degraded.SourceGroup;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

/** Which group is asked for the records of a lost file, and what is remembered of DataNodes. */
class OtherGroupTest {
    private static final Schema SCHEMA = Schema.parse("signal string, at timestamp");
    private static final URI DATASET = URI.create("mpsr-test://none/cals/meas");

    private final String node = UUID.randomUUID().toString();
    private final String other = UUID.randomUUID().toString();
    private final List<String> asked = new ArrayList<>();

    private static ReplicaGroup group(String name, String predicate) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicate)), List.of(), 1, Codec.parse("none"));
    }

    private static DataFile file(String path, List<Object> partition, String least, String most) {
        Map<String, ColumnStatistics> columns = Map.of("signal", new ColumnStatistics(least, most, 0));
        return new DataFile(path, 1, 1, 0, new FileStatistics("s", new ContentHash(1, 2, 3), partition, columns));
    }

    /** A group whose first file has records of the lost one, and whose second file has none. */
    private static SourceGroup source(String name) {
        return new SourceGroup(
                group(name, "day(at)"),
                List.of(file(name + "/b", List.of(1L), "a", "c"), file(name + "/x", List.of(2L), "x", "z")));
    }

    /** @param nodes the DataNodes of each block, by the path of the file */
    private static SourceAccess access(Map<String, List<Set<String>>> nodes, int timeoutMs) {
        Configuration conf = new Configuration(false);
        PlannedFileSystem.addTo(conf, timeoutMs);
        LostFile lost = new LostFile(group("signal", "signal"), file("lost", List.of("b"), "b", "b"), List.of());
        return new SourceAccess(DATASET, SCHEMA, lost, conf, file -> nodes.getOrDefault(file.path(), List.of()));
    }

    private String first(SourceAccess access, Set<String> failing, String... sources) throws Exception {
        asked.clear();
        List<SourceGroup> groups =
                Arrays.stream(sources).map(OtherGroupTest::source).toList();
        return OtherGroup.first(groups, access, false, source -> {
                    String name = source.group().name();
                    asked.add(name);
                    return records(access, source.files().get(0), failing.contains(name));
                })
                .group();
    }

    private static PartRecords<String> records(SourceAccess access, DataFile file, boolean isFailing) {
        return new PartRecords<>() {
            @Override
            public boolean hasNext() throws IOException {
                if (isFailing) {
                    access.published(file); // there is no such file system
                }
                return false;
            }

            @Override
            public String next() {
                return "";
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void theFirstGroupThatGivesTheRecordsIsTaken() throws Exception {
        assertThat(first(access(Map.of(), 60_000), Set.of(), "one", "two")).isEqualTo("one");
        assertThat(first(access(Map.of(), 60_000), Set.of("one"), "one", "two")).isEqualTo("two");
        assertThatThrownBy(() -> first(access(Map.of(), 60_000), Set.of("one", "two"), "one", "two"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no other group gives the records: ");
    }

    @Test
    void groupsOnSilentDataNodesAreAskedLast() throws Exception {
        SilentNodes.learn(Map.of(node, System.currentTimeMillis() + 30_000));
        Map<String, List<Set<String>>> needed = Map.of("one/b", List.of(Set.of(other), Set.of(node)));
        assertThat(first(access(needed, 60_000), Set.of(), "one", "two")).isEqualTo("two");
        assertThat(asked).containsExactly("two");
        assertThat(first(access(needed, 60_000), Set.of("two"), "one", "two"))
                .as("nobody else has the records")
                .isEqualTo("one");
        Map<String, List<Set<String>>> twoCopies = Map.of("one/b", List.of(Set.of(other, node)));
        assertThat(first(access(twoCopies, 60_000), Set.of(), "one", "two")).isEqualTo("one");
        Map<String, List<Set<String>>> notNeeded = Map.of("one/x", List.of(Set.of(node)));
        assertThat(first(access(notNeeded, 60_000), Set.of(), "one", "two")).isEqualTo("one");
    }

    @Test
    void aDataNodeThatTakesTheTimeoutIsSilentFromThenOn() throws Exception {
        Map<String, List<Set<String>>> nodes = Map.of("one/b", List.of(Set.of(node)), "two/b", List.of(Set.of(other)));
        assertThat(first(access(nodes, 60_000), Set.of("one"), "one", "two")).isEqualTo("two");
        assertThat(SilentNodes.known()).as("it failed soon").doesNotContainKey(node);
        assertThat(first(access(nodes, 0), Set.of("one"), "one", "two")).isEqualTo("two");
        assertThat(SilentNodes.known()).containsKey(node).doesNotContainKey(other);
        assertThat(first(access(nodes, 60_000), Set.of(), "one", "two")).isEqualTo("two");
        assertThat(asked).containsExactly("two");
    }

    @Test
    void whatAnotherProcessKnewIsRememberedForAMinuteAtMost() {
        long now = System.currentTimeMillis();
        SilentNodes.learn(Map.of(node, now - 1, other, now + 3_600_000));
        assertThat(SilentNodes.known()).doesNotContainKey(node);
        assertThat(SilentNodes.known().get(other)).isBetween(now, System.currentTimeMillis() + 60_000);
        SilentNodes.learn(Map.of(other, now + 3_600_000));
        assertThat(SilentNodes.known().get(other)).isBetween(now, System.currentTimeMillis() + 60_000);
    }
}
