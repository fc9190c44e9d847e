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
package org.hadoopmpsr.namenode.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.client.OversizeMessageException;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FileStatisticsProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto.Kind;
import org.hadoopmpsr.client.proto.MpsrProtos.MpsrProtocolService;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SourceProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StagedFileProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ValueProto;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.budget.CallPlaces;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.junit.jupiter.api.Test;

/** A message that is too large is refused before it is built. */
class BoundedCallsTest {
    private static final StagedFileProto FILE = StagedFileProto.newBuilder()
            .setGroup("time")
            .setRelativePath("day=2014-05-01/c-0.parquet")
            .setStatistics(FileStatisticsProto.newBuilder()
                    .setCommitId("c")
                    .setContent(
                            ContentHashProto.newBuilder().setCount(1).setHigh(2).setLow(3)))
            .build();

    private final Map<String, String> conf = new HashMap<>();
    private final CallPlaces places = new CallPlaces(3, 2, 1L << 30, () -> "somebody");
    private final Counters counters = new Counters(() -> "ready", Map::of, name -> name);

    /** Calls that all end in this way. */
    private BoundedCalls calls(Callable<Message> end) {
        MpsrProtocolPB service = (MpsrProtocolPB) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MpsrProtocolPB.class},
                (proxy, called, arguments) -> end.call());
        return new BoundedCalls(
                MpsrProtocolService.newReflectiveBlockingService(service),
                MpsrConfig.read(conf::get),
                places,
                counters);
    }

    private static Message never() {
        throw new AssertionError("nobody calls");
    }

    /** As Hadoop's RPC reads the message of a call. */
    private Message read(String method, Message request) throws IOException {
        return read(calls(BoundedCallsTest::never), method, request.toByteArray());
    }

    private static Message read(BoundedCalls calls, String method, byte[] message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeByteArrayNoTag(message);
        out.flush();
        CodedInputStream in = CodedInputStream.newInstance(bytes.toByteArray());
        in.pushLimit(in.readRawVarint32());
        return (Message)
                calls.getRequestPrototype(method(method)).getParserForType().parseFrom(in);
    }

    private static MethodDescriptor method(String name) {
        return MpsrProtocolService.getDescriptor().findMethodByName(name);
    }

    private static PublishRequestProto.Builder publish(int files) {
        PublishRequestProto.Builder publish =
                PublishRequestProto.newBuilder().setPath("/cals/meas").setCommitId("c");
        for (int i = 0; i < files; i++) {
            publish.addFile(FILE);
        }
        return publish;
    }

    private static PlanRequestProto.Builder plan(FilterProto filter) {
        return PlanRequestProto.newBuilder().setPath("/cals/meas").setFilter(filter);
    }

    private static FilterProto in(int values) {
        FilterProto.Builder in = FilterProto.newBuilder().setKind(Kind.IN).setColumn("signal");
        for (int i = 0; i < values; i++) {
            in.addLiteral(ValueProto.newBuilder().setLongValue(i));
        }
        return in.build();
    }

    private void assertRefused(String method, Message request, String... texts) {
        assertThatThrownBy(() -> read(method, request))
                .isInstanceOf(OversizeMessageException.class)
                .hasMessageContainingAll(texts);
    }

    @Test
    void whatIsWithinTheLimitsIsReadAsItWasSent() throws IOException {
        PublishRequestProto publish = publish(20_000)
                .addSource(SourceProto.newBuilder()
                        .setTopic("t")
                        .setPartition(0)
                        .setStart(0)
                        .setEnd(1))
                .build();
        assertThat(read("publish", publish)).isEqualTo(publish);
        PlanRequestProto plan = plan(in(10_000)).addReaderHost("h").build();
        assertThat(read("plan", plan)).isEqualTo(plan);
    }

    @Test
    void bytesAreBounded() {
        conf.put("dfs.mpsr.call.max.bytes", "4096");
        PublishRequestProto publish = publish(100).build();
        assertRefused(
                "publish",
                publish,
                "the call is refused: its PublishRequestProto has " + publish.getSerializedSize() + " bytes, more than"
                        + " dfs.mpsr.call.max.bytes = 4096 allows",
                "commit more often, or fewer files at a time, or raise dfs.mpsr.call.max.bytes");
    }

    /** A part of two bytes takes a hundred in memory. */
    @Test
    void partsAreBounded() {
        conf.put("dfs.mpsr.call.max.bytes", "16384");
        FilterProto.Builder or = FilterProto.newBuilder().setKind(Kind.OR);
        for (int i = 0; i < 1_100; i++) {
            or.addPart(FilterProto.newBuilder().setKind(Kind.UNKNOWN));
        }
        assertRefused("plan", plan(or.build()).build(), "more than 1024 parts", "dfs.mpsr.call.max.bytes = 16384");
    }

    @Test
    void filesOfAPublishAreBounded() {
        conf.put("dfs.mpsr.commit.max.files", "10");
        assertRefused(
                "publish", publish(21).build(), "more than 20 files or sources", "dfs.mpsr.commit.max.files = 10");
    }

    /** They are sent as one run of bytes. */
    @Test
    void replacedFilesOfAPublishAreBounded() throws IOException {
        PublishRequestProto.Builder publish = publish(1);
        for (int i = 0; i < 20_000; i++) {
            publish.addReplaces(1_000_000_000L + i);
        }
        PublishRequestProto most = publish.build();
        assertThat(read("publish", most)).isEqualTo(most);
        assertRefused("publish", publish.addReplaces(1).build(), "more than 20000 files or sources");
    }

    @Test
    void listsOfAPlanAreBounded() {
        conf.put("dfs.mpsr.plan.max.values", "5");
        String key = "more than 5 values or names in a list, more than dfs.mpsr.plan.max.values = 5 allows";
        assertRefused("plan", plan(in(6)).build(), key);
        FilterProto and = FilterProto.newBuilder()
                .setKind(Kind.AND)
                .addPart(in(3))
                .addPart(in(3))
                .build();
        assertRefused("plan", plan(and).build(), key);
        PlanRequestProto.Builder hosts = plan(in(1));
        PlanRequestProto.Builder columns = plan(in(1));
        for (int i = 0; i < 6; i++) {
            hosts.addReaderHost("h");
            columns.addColumn("c");
        }
        assertRefused("plan", hosts.build(), key);
        assertRefused("plan", columns.build(), key);
    }

    @Test
    void depthIsBounded() {
        FilterProto filter = in(1);
        for (int i = 0; i < 70; i++) {
            filter = FilterProto.newBuilder().setKind(Kind.NOT).addPart(filter).build();
        }
        assertRefused("plan", plan(filter).build(), "nest deeper than 64");
    }

    /** The message's own bytes are copied once, and nothing is made of them. */
    @Test
    void aRefusedMessageIsNotBuilt() throws IOException {
        PublishRequestProto publish = publish(200_000).build();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertRefused("publish", publish, "more than 20000 files or sources");
        // writing it takes a growing buffer and two copies, reading it one
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8L * publish.getSerializedSize());
    }

    @Test
    void textsAreBounded() {
        assertRefused(
                "plan",
                plan(in(1)).setPath("x".repeat(65_537)).build(),
                "a text or value in the PlanRequestProto of its PlanRequestProto has 65537 bytes, more than 65536");
        FilterProto filter = FilterProto.newBuilder()
                .setKind(Kind.EQ)
                .setColumn("c")
                .addLiteral(ValueProto.newBuilder().setStringValue("x".repeat(70_000)))
                .build();
        assertRefused("plan", plan(filter).build(), "a text or value in the ValueProto of its PlanRequestProto");
    }

    /** They are kept with the message, and take far more memory than bytes. */
    @Test
    void fieldsThatNobodyKnowsCountToo() {
        conf.put("dfs.mpsr.call.max.bytes", "16384");
        UnknownFieldSet.Field.Builder numbers = UnknownFieldSet.Field.newBuilder();
        for (int i = 0; i < 1_100; i++) {
            numbers.addVarint(1);
        }
        PlanRequestProto request = plan(in(1))
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(99, numbers.build())
                        .build())
                .build();
        assertRefused("plan", request, "more than 1024 parts");
    }

    @Test
    void aCallThatIsNotCarriedOutLeavesItsPlace() {
        BoundedCalls calls = calls(BoundedCallsTest::never);
        byte[] whole = publish(1).build().toByteArray();
        for (int length = 1; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            try {
                read(calls, "publish", cut);
            } catch (InvalidProtocolBufferException e) {
                assertThat(places.taken()).as("%d bytes", length).isZero();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        // of what could be read, this thread carries out nothing, so the last is all that it holds
        assertThat(places.taken()).isLessThanOrEqualTo(1);
        assertThat(places.reservedBytes()).isLessThan(10_000);
    }

    @Test
    void whoFindsNoPlaceIsToldToTryAgain() throws Exception {
        try (CallPlaces.Place one = places.take();
                CallPlaces.Place two = places.take()) {
            assertThat(List.of(one, two)).hasSize(2);
            assertThatThrownBy(() -> read("plan", plan(in(1)).build())).isInstanceOf(RetriableException.class);
        }
        assertThat(counters.snapshot()).containsEntry("BusyCalls", 1L);
        assertThat(read("plan", plan(in(1)).build())).isNotNull();
    }

    /** An error that reaches Hadoop's handler ends the handler. */
    @Test
    void whateverGoesWrongIsARefusalOfThisCallAlone() throws Exception {
        Map<Throwable, String> ends = new LinkedHashMap<>();
        ends.put(new OutOfMemoryError("Java heap space"), "the NameNode has too little memory for this call");
        ends.put(new StackOverflowError(), "the parts of this call to MPSR (plan) nest too deeply");
        ends.put(new NullPointerException("x"), "because of an unexpected error, java.lang.NullPointerException");
        ends.put(new NoClassDefFoundError("x"), "because of an unexpected error, java.lang.NoClassDefFoundError");
        ends.put(new ServiceException(new IOException("as it is")), "as it is");
        for (Map.Entry<Throwable, String> end : ends.entrySet()) {
            BoundedCalls calls = calls(() -> {
                throw BoundedCallsTest.<Exception>thrown(end.getKey());
            });
            Message request = read(calls, "plan", plan(in(1)).build().toByteArray());
            assertThat(places.taken()).isEqualTo(1);
            assertThatThrownBy(() -> calls.callBlockingMethod(method("plan"), null, request))
                    .isInstanceOf(ServiceException.class)
                    .cause()
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(end.getValue());
            assertThat(places.taken()).isZero();
            assertThat(places.reservedBytes()).isZero();
        }
        assertThat(counters.snapshot()).containsEntry("Errors", 4L);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E thrown(Throwable error) throws E {
        throw (E) error;
    }

    @Test
    void anAnswerIsBounded() throws Exception {
        conf.put("dfs.mpsr.call.max.bytes", "4096");
        BoundedCalls calls = calls(() -> PlanResponseProto.newBuilder()
                .setDataset(true)
                .setReason("x".repeat(5_000))
                .build());
        Message request = read(calls, "plan", plan(in(1)).build().toByteArray());
        assertThatThrownBy(() -> calls.callBlockingMethod(method("plan"), null, request))
                .cause()
                .isInstanceOf(OversizeMessageException.class)
                .hasMessageContaining("PlanResponseProto has 50");
    }

    /** Bytes that were changed anywhere: {@code -Dmpsr.rounds=N} tries more of them. */
    @Test
    void anyBytesAreReadOrRefused() {
        int rounds = Integer.getInteger("mpsr.rounds", 3_000);
        BoundedCalls calls = calls(BoundedCallsTest::never);
        byte[][] messages = {
            publish(3).build().toByteArray(), plan(in(3)).build().toByteArray()
        };
        for (int round = 0; round < rounds; round++) {
            Random random = new Random(round * 0x9E3779B97F4A7C15L);
            byte[] bytes = messages[round % 2].clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                read(calls, round % 2 == 0 ? "publish" : "plan", bytes);
            } catch (IOException e) {
                assertThat(e.getMessage()).as("seed %d", round).doesNotContain("unexpected error");
            }
        }
        assertThat(counters.snapshot()).containsEntry("Errors", 0L);
    }
}
