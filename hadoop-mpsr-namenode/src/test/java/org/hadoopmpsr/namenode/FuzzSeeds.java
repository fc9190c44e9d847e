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
package org.hadoopmpsr.namenode;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopmpsr.client.proto.MpsrProtos.AlterDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.AlteredGroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ChangeKindProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ColumnNamesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ColumnStatisticsProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CreateDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRunProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FileStatisticsProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto.Kind;
import org.hadoopmpsr.client.proto.MpsrProtos.GetDamageRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetRollbackRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentFilesRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetSegmentsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetUntrackedRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupContentProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceRunProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PurgeReplacedRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RehashedProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetHistoryRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetUnfitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SourceProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StagedFileProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.UnfitFileProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ValueProto;

/** Requests that once did harm, or are meant to. */
final class FuzzSeeds {
    private static final FilterProto ALL =
            FilterProto.newBuilder().setKind(Kind.AND).build();

    private final List<Seed> seeds = new ArrayList<>();

    /**
     * A request that is a message, followed by another one over and over: a list of so many entries.
     *
     * @param message to be changed
     */
    record Seed(String method, Message message, Message entry, int entries) {

        /** The bytes are made when they are sent, because all of them together are many. */
        FuzzCalls.Request request() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(message.toByteArray());
            byte[] more = entry.toByteArray();
            for (int i = 0; i < entries; i++) {
                bytes.writeBytes(more);
            }
            return new FuzzCalls.Request(method, bytes.toByteArray());
        }

        boolean isList() {
            return entries > 0;
        }
    }

    /**
     * @param read a dataset that the caller may read
     * @param written a dataset that the caller may write
     * @param id the id of a dataset
     */
    FuzzSeeds(String read, String written, String id) {
        plans(read);
        publishes(written);
        rewrites(written);
        segments(read);
        damage(read);
        untracked(read);
        add("listDatasets", ListDatasetsRequestProto.newBuilder().setPaged(true).build());
        add("listDatasets", ListDatasetsRequestProto.getDefaultInstance());
        add("getDataset", DatasetRequestProto.newBuilder().setPath(read).build());
        add("maintain", maintain(id));
        add("status", StatusRequestProto.getDefaultInstance());
        add(
                "createDataset",
                CreateDatasetRequestProto.newBuilder()
                        .setPath("/fuzz/wide")
                        .setSchema(IntStream.range(0, 5_000)
                                .mapToObj(i -> "column_" + i + " double")
                                .collect(Collectors.joining(", ")))
                        .build());
    }

    private static MaintainRequestProto maintain(String datasetId) {
        return MaintainRequestProto.newBuilder()
                .setHolder("fuzz")
                .setLease(60_000)
                .addRun(DatasetRunProto.newBuilder()
                        .setDatasetId(datasetId)
                        .setRun(MaintenanceRunProto.newBuilder()
                                .setTask("compact")
                                .setStarted(1)
                                .setEnded(2)
                                .setOutcome(MaintenanceRunProto.Outcome.FAILED)
                                .setProblem("x".repeat(60_000))))
                .build();
    }

    List<Seed> all() {
        return seeds;
    }

    private void add(String method, Message message) {
        seeds.add(new Seed(method, message, message, 0));
    }

    private void add(String method, Message message, Message entry, int entries) {
        seeds.add(new Seed(method, message, entry, entries));
    }

    private void plans(String path) {
        PlanRequestProto plan =
                PlanRequestProto.newBuilder().setPath(path).setFilter(ALL).build();
        add("plan", plan);
        FilterProto.Builder in = FilterProto.newBuilder().setKind(Kind.IN).setColumn("timestamp_ns");
        FilterProto.Builder or = FilterProto.newBuilder().setKind(Kind.OR);
        for (int i = 0; i < 9_000; i++) {
            in.addLiteral(whole(i));
            or.addPart(FilterProto.newBuilder()
                    .setKind(i % 2 == 0 ? Kind.EQ : Kind.LT)
                    .setColumn("timestamp_ns")
                    .addLiteral(whole(i)));
        }
        add("plan", plan.toBuilder().setFilter(in).build());
        add("plan", plan.toBuilder().setFilter(or).build());
        PlanRequestProto column =
                PlanRequestProto.newBuilder().addColumn("signal").buildPartial();
        PlanRequestProto literal = PlanRequestProto.newBuilder()
                .setFilter(FilterProto.newBuilder().addLiteral(whole(1)).buildPartial())
                .buildPartial();
        for (int many : new int[] {9_000, 100_000}) {
            add("plan", plan, column, many);
            add("plan", plan.toBuilder().setFilter(in).build(), literal, many);
        }
        for (int depth : new int[] {30, 70, 5_000}) {
            add("plan", nested(path, depth));
        }
        FilterProto.Builder odd = FilterProto.newBuilder().setColumn("signal");
        add("plan", plan.toBuilder().setFilter(odd.setKind(Kind.STARTS_WITH)).build());
        add("plan", plan.toBuilder().setFilter(odd.setKind(Kind.EQ)).build());
        odd.addLiteral(ValueProto.getDefaultInstance());
        add("plan", plan.toBuilder().setFilter(odd.setKind(Kind.IN)).build());
        add("plan", plan.toBuilder().setFilter(odd.setKind(Kind.NOT)).build());
        add(
                "plan",
                plan.toBuilder()
                        .setFilter(FilterProto.newBuilder()
                                .setKind(Kind.AND)
                                .setUnknownFields(UnknownFieldSet.newBuilder()
                                        .addField(
                                                1,
                                                UnknownFieldSet.Field.newBuilder()
                                                        .addVarint(99)
                                                        .build())
                                        .build()))
                        .build());
        for (long from : new long[] {1, (1L << 32) - 1, 1L << 32, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            add("plan", plan.toBuilder().setFrom(from).setGeneration(from).build());
        }
        add("plan", plan.toBuilder().setPageFiles(1).setParallelism(-1).build());
        add("plan", plan.toBuilder().setParallelism(Integer.MAX_VALUE).build());
        add("plan", plan.toBuilder().setGroup("nothing").build());
        add("plan", plan.toBuilder().setStandbyTransaction(-1).build());
        add(
                "plan",
                plan.toBuilder()
                        .setRead(ColumnNamesProto.newBuilder().addName("x".repeat(70_000)))
                        .build());
    }

    /** As bytes: as a message it nests deeper than what writes it. */
    private static PlanRequestProto nested(String path, int depth) {
        ByteString filter = ALL.toByteString();
        for (int i = 0; i < depth; i++) {
            filter = FilterProto.newBuilder()
                    .setKind(Kind.NOT)
                    .setUnknownFields(field(FilterProto.PART_FIELD_NUMBER, filter))
                    .build()
                    .toByteString();
        }
        return PlanRequestProto.newBuilder()
                .setPath(path)
                .setUnknownFields(field(PlanRequestProto.FILTER_FIELD_NUMBER, filter))
                .buildPartial();
    }

    private static UnknownFieldSet field(int number, ByteString bytes) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        number,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(bytes)
                                .build())
                .build();
    }

    /** Lists of segments that no dataset has, and contents of groups that it does not have. */
    private void rewrites(String path) {
        PublishRequestProto.Builder rewrite =
                publish(path, 1).setKind(ChangeKindProto.REWRITE).addRemoves("a");
        add("publish", rewrite.build());
        add(
                "publish",
                rewrite.build(),
                PublishRequestProto.newBuilder().addRemoves("b").buildPartial(),
                15_000);
        rewrite.addRemovedContent(GroupContentProto.newBuilder()
                .setGroup("nothing")
                .addContent(
                        ContentHashProto.newBuilder().setCount(-1).setHigh(1).setLow(1)));
        add("publish", rewrite.build());
        ContentHashProto old =
                ContentHashProto.newBuilder().setCount(3).setHigh(1).setLow(1).build();
        rewrite.getRemovedContentBuilder(0)
                .addRehashed(RehashedProto.newBuilder()
                        .setDirectory("../x")
                        .addContent(old)
                        .setRehashed(old.toBuilder().setKind(1)));
        add("publish", rewrite.build());
        add("publish", rewrite.addRemoves("../../x").build());
    }

    private void segments(String path) {
        GetSegmentsRequestProto segments =
                GetSegmentsRequestProto.newBuilder().setPath(path).build();
        add("getSegments", segments);
        add("getSegments", segments.toBuilder().setAfter("zz").setLimit(-1).build());
        GetSegmentFilesRequestProto files = GetSegmentFilesRequestProto.newBuilder()
                .setPath(path)
                .setGroup("time")
                .build();
        add("getSegmentFiles", files);
        add("getSegmentFiles", files.toBuilder().setGroup("nothing").build());
        add("getSegmentFiles", files.toBuilder().setFrom(-1).setGeneration(-1).build());
        add(
                "getSegmentFiles",
                files,
                GetSegmentFilesRequestProto.newBuilder().addSegment("a").buildPartial(),
                100_000);
        add("getSegmentFiles", files.toBuilder().setRemoved(true).build());
    }

    private void damage(String path) {
        GetDamageRequestProto damage =
                GetDamageRequestProto.newBuilder().setPath(path).build();
        add("getDamage", damage);
        add(
                "getHistory",
                GetHistoryRequestProto.newBuilder().setPath(path).setBefore(7).build());
        add(
                "getRollback",
                GetRollbackRequestProto.newBuilder().setPath(path).setTo("3").build());
        add("getWorkload", GetWorkloadRequestProto.newBuilder().setPath(path).build());
        add(
                "setHistory",
                SetHistoryRequestProto.newBuilder()
                        .setPath(path)
                        .setDatasetId("d")
                        .setTag("t")
                        .setAsOf("2026-11-24")
                        .setDeleteTag("u")
                        .setKeptSeconds(3)
                        .setKeptAsConfigured(true)
                        .build());
        AlteredGroupProto group = AlteredGroupProto.newBuilder()
                .setGroup("signal")
                .addPredicate("bucket(4, device)")
                .addSort("timestamp_ns")
                .setCodec("snappy")
                .build();
        AlterDatasetRequestProto alter =
                AlterDatasetRequestProto.newBuilder().setPath(path).build();
        add(
                "alterDataset",
                alter.toBuilder()
                        .setDatasetId("d")
                        .setAdd(group)
                        .setDrop("time")
                        .build());
        add("alterDataset", alter.toBuilder().setSet(group).setCancel(true).build());
        add("alterDataset", alter.toBuilder().setAddColumn("more int").build());
        add("alterDataset", alter.toBuilder().setWidenColumn("quality bigint").build());
        add("alterDataset", alter.toBuilder().setDrop("time").build());
        add(
                "purgeReplaced",
                PurgeReplacedRequestProto.newBuilder()
                        .setPath(path)
                        .setDatasetId("d")
                        .build());
        add("getDamage", damage.toBuilder().setAfter("1/1/zz/time").setLimit(-1).build());
    }

    private void untracked(String path) {
        add("getUntracked", GetUntrackedRequestProto.newBuilder().setPath(path).build());
        UnfitFileProto file = UnfitFileProto.newBuilder()
                .setFileId(1)
                .setState(-1)
                .setReason("x")
                .build();
        add(
                "setUnfit",
                SetUnfitRequestProto.newBuilder().setPath(path).addFile(file).build(),
                file,
                100_000);
    }

    private void publishes(String path) {
        for (int many : new int[] {1, 1_000}) {
            PublishRequestProto.Builder publish = publish(path, many);
            for (int i = 0; i < many; i++) {
                publish.addSource(source("t" + i, 0, i + 1));
            }
            add("publish", publish.build());
        }
        PublishRequestProto rebuild = PublishRequestProto.newBuilder()
                .setPath(path)
                .setCommitId("rebuild-1")
                .setKind(ChangeKindProto.REBUILD)
                .setRebuiltGroup("time")
                .addRebuilds("c")
                .addReplaces(1)
                .build();
        add("publish", rebuild);
        add("publish", rebuild.toBuilder().addReplaces(-1).setRebuiltGroup("x").build());
        PublishRequestProto accept = rebuild.toBuilder()
                .setKind(ChangeKindProto.ACCEPT)
                .clearRebuilds()
                .addRemoves("a")
                .addAllState(Collections.nCopies(rebuild.getReplacesCount(), 0L))
                .build();
        add("publish", accept);
        add("publish", accept.toBuilder().addState(-1).build());
        PublishRequestProto adopt =
                accept.toBuilder().setKind(ChangeKindProto.ADOPT).clearRemoves().build();
        add("publish", adopt);
        add("publish", adopt.toBuilder().addReplaces(2).addState(-1).build());
        add(
                "publish",
                PublishRequestProto.newBuilder()
                        .setPath(path)
                        .setCommitId("delete-1")
                        .setKind(ChangeKindProto.DELETE)
                        .addRemoves("a")
                        .setCondition("signal = 'X'")
                        .build());
        add(
                "publish",
                PublishRequestProto.newBuilder()
                        .setPath(path)
                        .setCommitId("rollback-1")
                        .setKind(ChangeKindProto.ROLLBACK)
                        .addRemoves("a")
                        .addRestores("b")
                        .setPlanned(7)
                        .build());
        add(
                "publish",
                PublishRequestProto.newBuilder()
                        .setPath(path)
                        .setCommitId("overwrite-1")
                        .setKind(ChangeKindProto.OVERWRITE)
                        .addRemoves("a")
                        .build());
        add(
                "publish",
                rebuild,
                PublishRequestProto.newBuilder().addReplaces(Long.MAX_VALUE).buildPartial(),
                15_000);
        PublishRequestProto one =
                PublishRequestProto.newBuilder().addSource(source("t", 0, 1)).buildPartial();
        add("publish", publish(path, 2).build(), one, 15_000);
        add("publish", publish(path, 3).build(), one, 100_000);
        add(
                "beginCommit",
                BeginCommitRequestProto.newBuilder()
                        .setPath(path)
                        .setCommitId("c")
                        .build());
        ContentHashProto content =
                ContentHashProto.newBuilder().setCount(1).setHigh(1).setLow(1).build();
        for (long count : new long[] {1, -1, 0, Long.MAX_VALUE}) {
            for (Object bound : new Object[] {1L << 62, Double.NaN, "x", true}) {
                FileStatisticsProto statistics = FileStatisticsProto.newBuilder()
                        .setCommitId("c")
                        .setContent(content.toBuilder().setCount(count))
                        .addPartition(value(bound))
                        .addColumn(ColumnStatisticsProto.newBuilder()
                                .setName("timestamp_ns")
                                .setMin(value(bound))
                                .setMax(whole(1))
                                .setNullCount(Long.MAX_VALUE))
                        .build();
                add("publish", publish(path, statistics, 3).build());
            }
        }
        FileStatisticsProto simple = FileStatisticsProto.newBuilder()
                .setCommitId("c")
                .setContent(content)
                .build();
        PublishRequestProto file = PublishRequestProto.newBuilder()
                .addFile(publish(path, simple, 1).getFile(0))
                .buildPartial();
        add("publish", publish(path, simple, 1).build(), file, 15_000);
        add("publish", publish(path, simple, 1).build(), file, 50_000);
    }

    private static PublishRequestProto.Builder publish(String path, int number) {
        return PublishRequestProto.newBuilder()
                .setPath(path)
                .setCommitId("c" + number)
                .setReadsRefusals(true);
    }

    private static PublishRequestProto.Builder publish(String path, FileStatisticsProto statistics, int files) {
        PublishRequestProto.Builder publish = PublishRequestProto.newBuilder()
                .setPath(path)
                .setCommitId("c")
                .setReadsRefusals(true)
                .addSource(source("t", 0, Long.MAX_VALUE));
        List<String> groups = List.of("time", "signal", "device");
        for (int i = 0; i < files; i++) {
            publish.addFile(StagedFileProto.newBuilder()
                    .setGroup(groups.get(i % groups.size()))
                    .setRelativePath("day=2014-05-01/c-" + i + ".parquet")
                    .setStatistics(statistics));
        }
        return publish;
    }

    private static SourceProto source(String topic, long start, long end) {
        return SourceProto.newBuilder()
                .setTopic(topic)
                .setPartition(0)
                .setStart(start)
                .setEnd(end)
                .build();
    }

    private static ValueProto whole(long value) {
        return ValueProto.newBuilder().setLongValue(value).build();
    }

    private static ValueProto value(Object value) {
        ValueProto.Builder proto = ValueProto.newBuilder();
        if (value instanceof Long v) {
            return proto.setLongValue(v).build();
        }
        if (value instanceof Double v) {
            return proto.setDoubleValue(v).build();
        }
        return value instanceof Boolean v
                ? proto.setBoolValue(v).build()
                : proto.setStringValue(String.valueOf(value)).build();
    }
}
