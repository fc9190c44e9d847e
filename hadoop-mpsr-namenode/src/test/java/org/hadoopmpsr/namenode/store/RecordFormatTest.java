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
package org.hadoopmpsr.namenode.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.CommitProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The bytes of records are those of docs/format.md, and a version that is not known sets one dataset aside. */
class RecordFormatTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    /** Hexadecimal digits at the start of each line, and after two spaces what they are. */
    private static byte[] golden(String name) throws IOException {
        try (InputStream in = RecordFormatTest.class.getResourceAsStream("/format/" + name + ".hex")) {
            String text = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
            return HexFormat.of().parseHex(text.replaceAll("(?m)(#|  ).*$|\n", ""));
        }
    }

    private static byte[] attribute(String path, String name) throws IOException {
        return cluster.fs().getXAttr(new Path(path), name);
    }

    private static void set(String path, String name, byte[] value) throws IOException {
        cluster.pastMpsr().setXAttr(new Path(path), name, value);
    }

    private static String store(Dataset dataset) {
        return "/.mpsr/datasets/" + dataset.id();
    }

    private static Dataset published(String path) throws IOException {
        Dataset dataset = client.createDataset(path, TestCluster.SCHEMA);
        new TestCommit(dataset, 0, 10).stage(client, cluster.fs()).publish(client);
        return dataset;
    }

    @Test
    void theDefinitionOfVersion1IsWrittenAndRead() throws Exception {
        Dataset dataset = client.createDataset("/golden/meas", TestCluster.SCHEMA);
        byte[] golden = golden("dataset-1");
        DatasetProto read = StoredRecords.dataset(golden, "/golden/meas");
        assertThat(read.getSchema()).isEqualTo(TestCluster.SCHEMA.ddl());
        assertThat(Dataset.groups(read)).isEqualTo(dataset.groups());
        assertThat(dataset.id()).matches("meas-[0-9a-f]{8}");

        assertThat(attribute("/golden/meas", Attributes.DATASET))
                .isEqualTo(new String(golden, UTF_8)
                        .replace("meas-00000000", dataset.id())
                        .getBytes(UTF_8));
        HdfsFileStatus directory = cluster.fs().getClient().getFileInfo("/golden/meas");
        assertThat(new String(attribute(store(dataset), Attributes.HOME), UTF_8))
                .isEqualTo(Long.toString(directory.getFileId()));
    }

    /** Versions before 3 do not know these types. */
    @Test
    void aDatasetWithMoreTypesIsOfVersion3() throws Exception {
        Schema schema = Schema.parse(TestCluster.SCHEMA.ddl() + ", price decimal(38,6), raw binary");
        Dataset dataset = client.createDataset("/golden/types", schema);
        DatasetProto read = StoredRecords.dataset(attribute("/golden/types", Attributes.DATASET), "/golden/types");
        assertThat(read.getFormatVersion()).isEqualTo(3);
        assertThat(read.getSchema()).isEqualTo(schema.ddl());
        assertThat(dataset.schema()).isEqualTo(schema);
    }

    /** Versions before 4 do not know nested types. */
    @Test
    void aDatasetWithNestedColumnsIsOfVersion4() throws Exception {
        Schema schema =
                Schema.parse(TestCluster.SCHEMA.ddl() + ", pos struct<x:double,y:double>, samples array<float>");
        Dataset dataset = client.createDataset("/golden/nested", schema);
        DatasetProto read = StoredRecords.dataset(attribute("/golden/nested", Attributes.DATASET), "/golden/nested");
        assertThat(read.getFormatVersion()).isEqualTo(4);
        assertThat(read.getSchema()).isEqualTo(schema.ddl());
        assertThat(dataset.schema()).isEqualTo(schema);
    }

    /** Versions before 6 know plain names alone. */
    @Test
    void aDatasetWithAnyNamesIsOfVersion6() throws Exception {
        Schema schema = Schema.parse(TestCluster.SCHEMA.ddl() + ", `wind speed` double");
        Dataset dataset = client.createDataset("/golden/names", schema);
        DatasetProto read = StoredRecords.dataset(attribute("/golden/names", Attributes.DATASET), "/golden/names");
        assertThat(read.getFormatVersion()).isEqualTo(6);
        assertThat(read.getSchema()).isEqualTo(schema.ddl());
        assertThat(dataset.schema()).isEqualTo(schema);
    }

    /** Versions before 8 do not know paths. */
    @Test
    void aDatasetWithAGroupByAPathIsOfVersion8() throws Exception {
        Schema schema = Schema.parse(TestCluster.SCHEMA.ddl() + ", pos struct<x:int,`y z`:double>");
        Dataset dataset = client.createDataset("/golden/paths", schema);
        List<Predicate> predicates = List.of(Predicate.parse("bucket(4, pos.x)"));
        List<SortKey> sort = SortKey.parseList("pos.`y z`, signal");
        Dataset altered = client.alterations()
                .set(dataset.path(), dataset.id(), new WantedGroup("signal", predicates, sort, null));
        DatasetProto read = StoredRecords.dataset(attribute("/golden/paths", Attributes.DATASET), "/golden/paths");
        assertThat(read.getFormatVersion()).isEqualTo(8);
        GroupProto group = read.getGroupList().stream()
                .filter(g -> g.getName().equals("signal.2"))
                .findFirst()
                .orElseThrow();
        assertThat(group.getPredicateList()).containsExactly("bucket(4, pos.x)");
        assertThat(group.getSortList()).containsExactly("pos\u001fy z", "signal");
        assertThat(altered.groups().find("signal.2").orElseThrow().predicates()).isEqualTo(predicates);
        assertThatThrownBy(() -> client.alterations().dropColumn(dataset.path(), null, "pos"))
                .hasMessageContaining("column 'pos' is named in the predicate 'bucket(4, pos.x)'");
        client.alterations().renameColumn(dataset.path(), null, "pos", "place");
        WantedGroup named = new WantedGroup("device", List.of(Predicate.parse("place.x")), List.of(), null);
        assertThat(client.alterations()
                        .set(dataset.path(), null, named)
                        .groups()
                        .find("device.2")
                        .orElseThrow()
                        .predicates())
                .containsExactly(Predicate.parse("pos.x"));
        WantedGroup lacking = new WantedGroup("device", List.of(Predicate.parse("place.z")), List.of(), null);
        assertThatThrownBy(() -> client.alterations().set(dataset.path(), null, lacking))
                .hasMessageContaining("has no field 'z'; name one of its fields");
    }

    /** Versions before 9 know one codec for all columns of a group. */
    @Test
    void aDatasetWithCodecsOfColumnsIsOfVersion9() throws Exception {
        Dataset dataset = client.createDataset("/golden/codecs", TestCluster.SCHEMA);
        Codecs codecs = Codecs.parse("snappy, VALUE=zstd:9, signal=none");
        WantedGroup wanted = new WantedGroup("signal", List.of(), List.of(), codecs);
        Dataset altered = client.alterations().set(dataset.path(), dataset.id(), wanted);
        DatasetProto read = StoredRecords.dataset(attribute("/golden/codecs", Attributes.DATASET), "/golden/codecs");
        assertThat(read.getFormatVersion()).isEqualTo(9);
        assertThat(read.getGroupList())
                .filteredOn(group -> group.getName().equals("signal.2"))
                .extracting(GroupProto::getCodec)
                .containsExactly("snappy, signal=none, value=zstd:9");
        assertThat(altered.groups().find("signal.2").orElseThrow().codec()).isEqualTo(codecs);
        WantedGroup lacking = new WantedGroup("device", List.of(), List.of(), Codecs.parse("weight=none"));
        assertThatThrownBy(() -> client.alterations().set(dataset.path(), null, lacking))
                .hasMessageContaining("replica group 'device' is to have a codec for column 'weight'");
    }

    /** Versions before 10 sort by columns alone, and would sort by others than these. */
    @Test
    void aDatasetWithAGroupSortedByBitsIsOfVersion10() throws Exception {
        Dataset dataset = client.createDataset("/golden/bits", TestCluster.SCHEMA);
        List<SortKey> sort = SortKey.parseList("signal, bits(16, value)");
        Dataset altered = client.alterations()
                .set(dataset.path(), dataset.id(), new WantedGroup("signal", List.of(), sort, null));
        assertThat(altered.groups().find("signal.2").orElseThrow().sort()).isEqualTo(sort);
        DatasetProto read = StoredRecords.dataset(attribute("/golden/bits", Attributes.DATASET), "/golden/bits");
        assertThat(read.getFormatVersion()).isEqualTo(10);
        assertThat(read.getGroupList())
                .filteredOn(group -> group.getName().equals("signal.2"))
                .flatExtracting(GroupProto::getSortList)
                .containsExactly("signal", "bits(16)\u001evalue");
        assertThatThrownBy(() -> client.alterations().dropColumn(dataset.path(), null, "value"))
                .hasMessageContaining("column 'value' sorts the records of group 'signal.2'");
        client.alterations().renameColumn(dataset.path(), null, "value", "level");
        WantedGroup renamed = new WantedGroup("device", List.of(), SortKey.parseList("bits(12, level)"), null);
        assertThat(client.alterations()
                        .set(dataset.path(), null, renamed)
                        .groups()
                        .find("device.2")
                        .orElseThrow()
                        .sort())
                .isEqualTo(SortKey.parseList("bits(12, value)"));
        WantedGroup twice = new WantedGroup("time", List.of(), SortKey.parseList("bits(12, level)"), null);
        assertThatThrownBy(() -> client.alterations().set(dataset.path(), null, twice))
                .hasMessageContaining("default group");
    }

    /** Versions before 11 find other columns in files than these, and no such codec. */
    @Test
    void aDatasetWithTransformsIsOfVersion11() throws Exception {
        Dataset dataset = client.createDataset("/golden/transforms", TestCluster.SCHEMA);
        ColumnTransforms transforms = ColumnTransforms.parse(List.of("VALUE=planes:16,16,32", "signal=identity"));
        WantedGroup wanted = new WantedGroup("signal", List.of(), List.of(), Codecs.parse("snappy"), transforms);
        Dataset altered = client.alterations().set(dataset.path(), dataset.id(), wanted);
        DatasetProto read =
                StoredRecords.dataset(attribute("/golden/transforms", Attributes.DATASET), "/golden/transforms");
        assertThat(read.getFormatVersion()).isEqualTo(11);
        assertThat(read.getGroupList())
                .filteredOn(group -> group.getName().equals("signal.2"))
                .extracting(GroupProto::getCodec)
                .containsExactly("snappy\u001evalue=planes:16,16,32;v=1")
                .allSatisfy(codec ->
                        assertThatThrownBy(() -> Codecs.parse(codec)).isInstanceOf(IllegalArgumentException.class));
        assertThat(altered.groups().find("signal.2").orElseThrow().storedAs())
                .isEqualTo("snappy, value=planes:16,16,32");
        WantedGroup lacking =
                new WantedGroup("device", List.of(), List.of(), null, ColumnTransforms.parse(List.of("w=identity")));
        assertThatThrownBy(() -> client.alterations().set(dataset.path(), null, lacking))
                .hasMessageContaining("replica group 'device' is to have a transform for column 'w'");
        client.alterations().renameColumn(dataset.path(), null, "value", "level");
        WantedGroup renamed = new WantedGroup(
                "device", List.of(), List.of(), null, ColumnTransforms.parse(List.of("level=planes:32,32")));
        assertThat(client.alterations()
                        .set(dataset.path(), null, renamed)
                        .groups()
                        .find("device.2")
                        .orElseThrow()
                        .transforms()
                        .text())
                .isEqualTo("value=planes:32,32");
    }

    @Test
    void theCommitOfVersion1IsWrittenAndRead() throws Exception {
        Dataset dataset = client.createDataset("/golden/commit", TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
        String staging = store(dataset) + "/staging/" + commit.id();
        cluster.write(staging + "/time/stray.parquet", 10);
        assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("stray.parquet is not named");

        byte[] golden = golden("commit-1");
        CommitProto written = CommitProto.parseFrom(attribute(staging, Attributes.COMMIT));
        assertThat(written.getContent()).isEqualTo(Wire.content(new ContentHash(10, 0, 10)));
        // earlier writers of version 1 leave out the content
        assertThat(written.toBuilder().clearContent().build().toByteArray()).isEqualTo(golden);
        CommitProto read = StoredRecords.commit(golden, staging);
        assertThat(read.getSource(0).getEnd()).isEqualTo(10);
        byte[] withoutVersion = Arrays.copyOf(golden, golden.length - 2);
        assertThat(StoredRecords.commit(withoutVersion, staging))
                .isEqualTo(read.toBuilder().clearFormatVersion().build());
    }

    @Test
    void theDropOfVersion1IsWrittenAndRead() throws Exception {
        Dataset dataset = published("/golden/dropped");
        client.dropDataset("/golden/dropped", false);

        byte[] golden = golden("drop-1");
        DropProto read = StoredRecords.drop(golden, store(dataset));
        DropProto written = DropProto.parseFrom(attribute(store(dataset), Attributes.DROPPED));
        assertThat(written.toBuilder().setTime(read.getTime()).build().toByteArray())
                .isEqualTo(golden);
        byte[] withoutVersion = Arrays.copyOf(golden, golden.length - 4);
        assertThat(StoredRecords.drop(withoutVersion, store(dataset)))
                .isEqualTo(read.toBuilder().clearFormatVersion().clearNow().build());
    }

    @Test
    void damagedRecordsAreRefusedWithWhatToDo() throws Exception {
        byte[] cut = Arrays.copyOf(golden("dataset-1"), 17);
        assertThatThrownBy(() -> StoredRecords.dataset(cut, "/d"))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessage("cannot read the dataset definition of '/d': it lacks [schema, default_group];"
                        + " a newer MPSR wrote it, or it is damaged: run that version, or restore it");
        assertThatThrownBy(() -> StoredRecords.home("v2:17".getBytes(UTF_8), "/s"))
                .hasMessageStartingWith("cannot read the inode id of the dataset directory of '/s':"
                        + " 'v2:17' is no decimal number;");
        assertThatThrownBy(() -> StoredRecords.offset("a=b=c=d=e=f=g", "/s/offsets"))
                .hasMessageStartingWith("cannot read the committed offset of '/s/offsets/a=b=c=d=e=f=g':");
    }

    /** A version is checked before fields are missed that it may not have any more. */
    private static byte[] ofVersion(int version) {
        return new byte[] {8, (byte) version};
    }

    @Test
    void aDatasetOfAnUnknownVersionIsSetAsideAlone() throws Exception {
        Dataset whole = published("/versions/whole");
        Dataset newer = published("/versions/newer");
        Dataset moved = published("/versions/moved");
        Dataset offset = published("/versions/offset");
        Dataset pending = published("/versions/pending");
        Dataset kept = published("/versions/kept");
        Dataset dropped = published("/versions/dropped");
        client.dropDataset(dropped.path(), false);
        byte[] definition = attribute(newer.path(), Attributes.DATASET);
        byte[] home = attribute(store(moved), Attributes.HOME);
        byte[] content = attribute(store(kept), Attributes.COMMITTED);
        byte[] drop = attribute(store(dropped), Attributes.DROPPED);

        set(newer.path(), Attributes.DATASET, ofVersion(13));
        set(store(moved), Attributes.HOME, "v2:17".getBytes(UTF_8));
        set(store(kept), Attributes.COMMITTED, ofVersion(3));
        cluster.pastMpsr().mkdirs(new Path(store(offset) + "/offsets/v2=t=0=10=c=x=y"));
        cluster.pastMpsr().mkdirs(new Path(store(pending) + "/publishing/c2"));
        set(store(pending) + "/publishing/c2", Attributes.COMMIT, new byte[] {24, 8});
        set(
                store(dropped),
                Attributes.DROPPED,
                DropProto.parseFrom(drop).toBuilder()
                        .setFormatVersion(2)
                        .build()
                        .toByteArray());
        cluster.restartNameNode();

        String version8 = "it has format version 8, and this MPSR reads versions 1 to 7; a newer MPSR wrote it:"
                + " run that version, or a later one, on every NameNode";
        String version13 = version8.replace("version 8", "version 13").replace("1 to 7", "1 to 12");
        String version2 = "it has format version 2, and this MPSR reads version 1; a newer MPSR wrote it:"
                + " run that version, or a later one, on every NameNode";
        assertThat(cluster.status().getState()).isEqualTo("ready");
        assertThat(cluster.status().getWarningList())
                .filteredOn(warning -> warning.contains("set aside"))
                .containsExactlyInAnyOrder(
                        "dataset /versions/newer is set aside: cannot read the dataset definition of '/versions/newer': "
                                + version13,
                        "dataset " + store(moved)
                                + " is set aside: cannot read the inode id of the dataset directory of '"
                                + store(moved)
                                + "': 'v2:17' is no decimal number; a newer MPSR wrote it, or it is damaged:"
                                + " run that version, or restore it",
                        "dataset /versions/offset is set aside: cannot read the committed offset of '" + store(offset)
                                + "/offsets/v2=t=0=10=c=x=y': the name has another form; a newer MPSR wrote it, or it is"
                                + " damaged: run that version, or restore it",
                        "dataset /versions/kept is set aside: cannot read the committed content of '" + store(kept)
                                + "': "
                                + version2.replace(
                                        "version 2, and this MPSR reads version 1;",
                                        "version 3, and this MPSR reads versions 1 to 2;"),
                        "dataset /versions/pending is set aside: cannot read the commit record of '" + store(pending)
                                + "/publishing/c2': "
                                + version8,
                        "dataset " + store(dropped) + " is set aside: cannot read the drop record of '" + store(dropped)
                                + "': " + version2);
        assertThat(cluster.status().getDroppedList())
                .noneMatch(d -> d.getStoreDir().equals(store(dropped)));

        // the others work, and these are as on stock HDFS, with all that they have
        assertThat(client.plan(whole.path(), Filter.ALL, null).orElseThrow().files())
                .hasSize(1);
        new TestCommit(whole, 10, 20).stage(client, cluster.fs()).publish(client);
        assertThat(client.plan(newer.path(), Filter.ALL, null)).isEmpty();
        assertThat(cluster.filesBelow(newer.path())).hasSize(1);
        assertThat(cluster.filesBelow(store(newer) + "/signal")).hasSize(1);
        assertThatThrownBy(() -> client.getDataset(newer.path())).hasMessageContaining(version13);
        assertThatThrownBy(() -> client.dropDataset(newer.path(), true)).hasMessageContaining(version13);
        assertThatThrownBy(() -> client.createDataset(newer.path(), TestCluster.SCHEMA))
                .hasMessageContaining(version13);

        set(newer.path(), Attributes.DATASET, definition);
        set(store(moved), Attributes.HOME, home);
        set(store(kept), Attributes.COMMITTED, content);
        cluster.fs().delete(new Path(store(offset) + "/offsets/v2=t=0=10=c=x=y"), true);
        cluster.fs().delete(new Path(store(pending) + "/publishing/c2"), true);
        cluster.fs().delete(new Path(store(dropped)), true);
        cluster.restartNameNode();
        assertThat(cluster.status().getWarningList()).noneMatch(warning -> warning.contains("set aside"));
        for (Dataset again : new Dataset[] {newer, moved, kept, offset, pending}) {
            assertThat(client.getDataset(again.path()).representations()).allSatisfy(r -> {
                assertThat(r.content().count()).isEqualTo(10);
                assertThat(r.unusable()).isNull();
            });
        }
    }

    @Test
    void aFileOfAnUnknownVersionMakesItsRepresentationUnusable() throws Exception {
        Dataset dataset = client.createDataset("/versions/file", TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
        commit.publish(client);
        String file = commit.published("signal");
        byte[] statistics = attribute(file, Attributes.FILE);
        statistics[0] = 2;
        set(file, Attributes.FILE, statistics);
        cluster.restartNameNode();

        assertThat(client.getDataset(dataset.path()).representations())
                .filteredOn(r -> r.unusable() != null)
                .singleElement()
                .satisfies(r -> {
                    assertThat(r.group()).isEqualTo("signal");
                    assertThat(r.unusable())
                            .startsWith("diverged: " + file + ": cannot read the file statistics of ")
                            .contains("it has format version 2");
                });
        assertThat(client.plan(dataset.path(), Filter.ALL, null).orElseThrow().group())
                .isNotEqualTo("signal");
    }
}
