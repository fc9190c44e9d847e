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
package org.hadoopmpsr.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.history.Tag;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class TableDescriptionTest {
    private static final long FIRST_MS = 1_700_000_000_000L;

    private static TableMetadata described(History history) {
        return described(history, "");
    }

    private static TableMetadata described(History history, String sort) {
        ReplicaGroup group = new ReplicaGroup(
                "time", List.of(Predicate.parse("day(at)")), SortKey.parseList(sort), 1, Codec.parse("zstd"));
        Dataset dataset = new Dataset(
                "/d/m",
                "m-1",
                Schema.parse("at timestamp, n int"),
                new ReplicaGroups(List.of(group), "time"),
                List.of(),
                List.of());
        return TableDescription.of(
                new DatasetTable(dataset, true),
                "hdfs://nn/d/m",
                WritePlace.of("hdfs://nn/d/m", "joe"),
                history,
                id -> "hdfs://nn/lists/" + id);
    }

    /** Some of which cannot be read any more. */
    private static History history(int changes, int firstReadable) {
        return new History(
                "m-1",
                true,
                changes,
                firstReadable,
                100,
                false,
                List.of(new Tag("kept", 5, FIRST_MS + 5_000, "alice")),
                IntStream.iterate(changes, n -> n > 0, n -> n - 1)
                        .mapToObj(n -> new History.Change(
                                n, FIRST_MS + n * 1_000L, "c" + n, 1, 10, 0, 0, n >= firstReadable || n == 5))
                        .toList());
    }

    @Test
    void eachChangeThatCanBeReadIsASnapshotAndHasItsTimeInTheLog() {
        TableMetadata table = described(history(1_000, 10));
        assertThat(table.snapshotLog().stream().map(HistoryEntry::snapshotId))
                .containsExactlyElementsOf(LongStream.concat(LongStream.of(5), LongStream.rangeClosed(10, 1_000))
                        .boxed()
                        .toList());
        assertThat(table.snapshotLog().get(1).timestampMillis()).isEqualTo(FIRST_MS + 10_000);
        assertThat(table.currentSnapshot().snapshotId()).isEqualTo(1_000);
        assertThat(table.currentSnapshot().parentId()).isEqualTo(999);
        assertThat(table.ref("kept").snapshotId()).isEqualTo(5);
        assertThat(TableMetadataParser.fromJson(TableMetadataParser.toJson(table))
                        .snapshotLog())
                .isEqualTo(table.snapshotLog());
    }

    /** Iceberg has no transform for bits, and an order that it does not know must not be stated as another one. */
    @Test
    void noOrderIsStatedOfAGroupThatIsSortedByBits() {
        TableMetadata table = described(history(3, 1), "at, bits(16, n)");
        assertThat(table.sortOrder().isUnsorted()).isTrue();
        assertThat(table.sortOrders()).hasSize(1);
        assertThat(table.spec()).isEqualTo(described(history(3, 1)).spec());
    }

    @Test
    void aDatasetThatCountsNoChangesHasItsPresentState() {
        History history = new History("m-1", false, 0, 0, 100, false, List.of(), List.of());
        TableMetadata table = described(history);
        assertThat(table.snapshots()).hasSize(1);
        long present = table.currentSnapshot().snapshotId();
        assertThat(SnapshotIds.isPresent(present, 0)).isTrue();
        assertThat(SnapshotIds.isPresent(present + 1, 0))
                .as("it has a segment more by now")
                .isTrue();
    }

    @Test
    void noSnapshotIsThePresentStateThatNoDatasetWithThisHistoryHasHad() {
        long segments = 7;
        assertThat(SnapshotIds.isPresent(SnapshotIds.present(3, segments), 4)).isTrue();
        assertThat(SnapshotIds.isPresent(SnapshotIds.present(5, segments), 4)).isFalse();
        assertThat(SnapshotIds.isPresent(Long.MAX_VALUE, 4)).isFalse();
        assertThat(SnapshotIds.isPresent(3, 4)).isFalse();
        assertThat(SnapshotIds.isPresent(4, 4)).isTrue();
    }

    /** Builders of metadata leave out a spec that has the fields of an earlier one, and a file of it would have a spec that is not there. */
    @Test
    void theMetadataHasTheSpecOfEachFileAlsoWhereGroupsAreDividedAlike() {
        List<ReplicaGroup> groups = Stream.of("time", "packed", "sorted")
                .map(name ->
                        new ReplicaGroup(name, List.of(Predicate.parse("day(at)")), List.of(), 1, Codec.parse("zstd")))
                .toList();
        Dataset dataset = new Dataset(
                "/d/m",
                "m-1",
                Schema.parse("at timestamp, n int"),
                new ReplicaGroups(groups, "time"),
                List.of(),
                List.of());
        for (boolean fills : new boolean[] {true, false}) {
            DatasetTable table = new DatasetTable(dataset, fills);
            TableMetadata metadata = TableDescription.of(
                    table,
                    "hdfs://nn/d/m",
                    WritePlace.of("hdfs://nn/d/m", "joe"),
                    history(3, 1),
                    id -> "hdfs://nn/" + id);
            assertThat(metadata.specsById()).isEqualTo(table.specsById()).hasSize(fills ? 3 : 2);
            assertThat(table.spec("packed").orElseThrow().spec())
                    .isEqualTo(table.spec("sorted").orElseThrow().spec());
        }
    }
}
