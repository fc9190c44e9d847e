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
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.client.OversizeMessageException;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FileStatisticsProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto.Kind;
import org.hadoopmpsr.client.proto.MpsrProtos.MpsrProtocolService;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SourceProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StagedFileProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ValueProto;
import org.hadoopmpsr.core.config.MpsrConfig;
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

    /** As Hadoop's RPC reads the message of a call. */
    private Message read(String method, Message request) throws IOException {
        MpsrProtocolPB never = (MpsrProtocolPB) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MpsrProtocolPB.class}, (proxy, called, arguments) -> null);
        BoundedCalls calls =
                new BoundedCalls(MpsrProtocolService.newReflectiveBlockingService(never), MpsrConfig.read(conf::get));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        request.writeDelimitedTo(bytes);
        MethodDescriptor descriptor = MpsrProtocolService.getDescriptor().findMethodByName(method);
        CodedInputStream in = CodedInputStream.newInstance(bytes.toByteArray());
        in.pushLimit(in.readRawVarint32());
        return (Message)
                calls.getRequestPrototype(descriptor).getParserForType().parseFrom(in);
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
}
