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
package org.hadoopmpsr.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanPartProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.junit.jupiter.api.Test;

/** What a client makes of a server's answers, over RPC. */
class PlansTest {
    private static final String PATH = "/cals/meas";
    private static final PlanResponseProto UNCHANGED =
            PlanResponseProto.newBuilder().setDataset(true).setUnchanged(true).build();
    private static final PlanResponseProto NO_DATASET =
            PlanResponseProto.newBuilder().setDataset(false).build();

    /** A first page. */
    private static PlanResponseProto.Builder plan(long generation, String... files) {
        return page(generation, files)
                .setStock(false)
                .setGroup("time")
                .setRoot(PATH)
                .setReason("cheapest")
                .setDefaultFiles(1)
                .setDefaultBytes(1)
                .setDefinition(DatasetProto.newBuilder()
                        .setFormatVersion(1)
                        .setId("meas-1")
                        .setSchema("signal string not null")
                        .addGroup(GroupProto.newBuilder()
                                .setName("time")
                                .addPredicate("signal")
                                .setReplication(1)
                                .setCodec("none"))
                        .setDefaultGroup("time"));
    }

    private static PlanResponseProto.Builder page(long generation, String... files) {
        PlanResponseProto.Builder page =
                PlanResponseProto.newBuilder().setDataset(true).setGeneration(generation);
        for (String file : files) {
            page.addFile(PlannedFileProto.newBuilder()
                    .setPath(PATH + "/" + file)
                    .setLength(1)
                    .setModificationTime(1)
                    .setRows(1));
        }
        return page;
    }

    private static ByteString token(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private static PlanRequestProto request(Message request) throws IOException {
        return PlanRequestProto.parseFrom(request.toByteArray());
    }

    /** A server that gives these answers, one to a call. */
    private static OtherServer server(Object... answers) throws Exception {
        Deque<Object> left = new ArrayDeque<>(List.of(answers));
        return new OtherServer(file -> {}, request -> {
            Object answer = left.remove();
            if (answer instanceof IOException e) {
                throw e;
            }
            return (Message) answer;
        });
    }

    private static ReadPlan plan(MpsrClient client) throws IOException {
        return client.plan(PATH, Filter.ALL, null).orElseThrow();
    }

    private static List<String> names(ReadPlan plan) {
        return plan.files().stream()
                .map(f -> f.path().substring(PATH.length() + 1))
                .toList();
    }

    @Test
    void aPlanThatStillHoldsIsNotSentAgain() throws Exception {
        try (OtherServer server = server(
                        plan(1, "a").setToken(token("one")).build(),
                        UNCHANGED,
                        plan(2, "a", "b").setToken(token("two")).build(),
                        UNCHANGED,
                        plan(3, "c").build(),
                        plan(3, "c").build());
                MpsrClient client = server.client()) {
            ReadPlan first = plan(client);
            assertThat(plan(client)).isSameAs(first);
            ReadPlan second = plan(client);
            assertThat(names(second)).containsExactly("a", "b");
            assertThat(plan(client)).isSameAs(second);
            assertThat(names(plan(client))).containsExactly("c");
            assertThat(names(plan(client))).containsExactly("c");
            List<String> tokens = new ArrayList<>();
            for (Message message : server.requests()) {
                tokens.add(request(message).getToken().toStringUtf8());
            }
            assertThat(tokens).containsExactly("", "one", "one", "two", "two", "");
        }
    }

    @Test
    void aTokenIsOfOneRequestOnly() throws Exception {
        try (OtherServer server = new OtherServer(
                        file -> {}, r -> plan(1, "a").setToken(token("t")).build());
                MpsrClient client = server.client()) {
            client.plan(PATH, Filter.ALL, null);
            client.plan(PATH, new Filter.IsNull("signal"), null);
            client.plan(PATH, Filter.ALL, "time");
            client.plan(PATH + "2", Filter.ALL, null);
            client.plan(PATH, ReadRequest.ofAllColumns(Filter.ALL), null, List.of("signal"));
            client.plan(PATH, new ReadRequest(Filter.ALL, Set.of("signal")), null, List.of());
            client.plan(PATH, new ReadRequest(Filter.ALL, null, 8, Set.of()), null, List.of());
            for (Message message : server.requests()) {
                assertThat(request(message).hasToken()).isFalse();
            }
        }
    }

    @Test
    void whatIsNoDatasetIsAskedAboutEachTime() throws Exception {
        try (OtherServer server = server(
                        NO_DATASET,
                        plan(1, "a").setToken(token("one")).build(),
                        NO_DATASET,
                        plan(2, "b").setToken(token("two")).build());
                MpsrClient client = server.client()) {
            assertThat(client.plan(PATH, Filter.ALL, null)).isEmpty();
            assertThat(names(plan(client))).containsExactly("a");
            assertThat(client.plan(PATH, Filter.ALL, null)).isEmpty();
            assertThat(names(plan(client))).containsExactly("b");
            assertThat(request(server.requests().get(3)).hasToken()).isFalse();
        }
    }

    @Test
    void aPlanThatChangesBetweenItsPagesIsBegunAgain() throws Exception {
        try (OtherServer server = server(
                        plan(1, "a").setNext(1).setToken(token("one")).build(),
                        new PlanChangedException("changed"),
                        plan(2, "a").setNext(1).setToken(token("two")).build(),
                        page(2, "b").setNext(2).build(),
                        NO_DATASET, // dropped and created again
                        plan(3, "c").setNext(1).setToken(token("three")).build(),
                        page(3, "d").setNext(2).build(),
                        page(3, "e").build(),
                        UNCHANGED);
                MpsrClient client = server.client()) {
            ReadPlan plan = plan(client);
            assertThat(names(plan)).containsExactly("c", "d", "e");
            assertThat(plan.generation()).isEqualTo(3);
            assertThat(plan(client)).isSameAs(plan);
            assertThat(request(server.requests().get(8)).getToken()).isEqualTo(token("three"));
        }
    }

    /** A page may have files of any part. */
    @Test
    void thePagesOfAPlanOfSeveralGroupsAreSortedByPart() throws Exception {
        PlanResponseProto.Builder first = plan(1, "a").setUnion(7).setNext(5).setNextPart(1);
        for (String group : List.of("time", "signal")) {
            first.addPart(PlanPartProto.newBuilder()
                    .setGroup(group)
                    .setRoot("/" + group)
                    .setSegments(3)
                    .setLeadRows(9));
        }
        PlanResponseProto second = page(1, "b", "c").build();
        try (OtherServer server = server(
                        first.build(),
                        PlanResponseProto.newBuilder(second)
                                .setFile(0, second.getFile(0).toBuilder().setPart(1))
                                .build(),
                        first.build(),
                        PlanResponseProto.newBuilder(second)
                                .setFile(0, second.getFile(0).toBuilder().setPart(2))
                                .build());
                MpsrClient client = server.client()) {
            ReadPlan plan = client.plan(
                            PATH, ReadRequest.ofAllColumns(Filter.ALL).inParts(), null, List.of())
                    .orElseThrow();
            assertThat(plan.isUnion()).isTrue();
            assertThat(names(plan)).containsExactly("a", "c", "b");
            assertThat(plan.each())
                    .extracting(ReadPlan::group, ReadPlan::root, ReadPlan::leadRows)
                    .containsExactly(tuple("time", "/time", 9L), tuple("signal", "/signal", 9L));
            assertThat(names(plan.each().get(1))).containsExactly("b");
            PlanRequestProto asked = request(server.requests().get(1));
            assertThat(asked.getReadsParts()).isTrue();
            assertThat(List.of(asked.getUnion(), asked.getFrom(), (long) asked.getPart()))
                    .containsExactly(7L, 5L, 1L);
            assertThatThrownBy(() -> plan(client))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a file of part 2 of a plan of 2 parts");
        }
    }

    @Test
    void aPlanThatChangesAllTheTimeFails() throws Exception {
        try (OtherServer server = new OtherServer(file -> {}, message -> {
                    if (request(message).hasFrom()) {
                        throw new PlanChangedException("changed between two pages");
                    }
                    return plan(1, "a").setNext(1).build();
                });
                MpsrClient client = server.client()) {
            assertThatThrownBy(() -> plan(client)).hasMessageContaining("changed between two pages");
            assertThat(server.requests()).hasSize(10);
        }
    }

    @Test
    void anyOtherErrorOfAPageIsTold() throws Exception {
        try (OtherServer server = server(plan(1, "a").setNext(1).build(), new IOException("broken"));
                MpsrClient client = server.client()) {
            assertThatThrownBy(() -> plan(client)).hasMessageContaining("broken");
        }
    }

    @Test
    void manyThreadsAskAtOnce() throws Exception {
        AtomicInteger state = new AtomicInteger();
        try (OtherServer server = new OtherServer(file -> {}, message -> {
                    int now = state.get();
                    ByteString token = token(Integer.toString(now));
                    return request(message).getToken().equals(token)
                            ? UNCHANGED
                            : plan(now, Integer.toString(now)).setToken(token).build();
                });
                MpsrClient client = server.client()) {
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Future<?>> done = new ArrayList<>();
                for (int t = 0; t < 4; t++) {
                    done.add(threads.submit(() -> {
                        for (int i = 0; i < 100; i++) {
                            long before = i % 10 == 0 ? state.incrementAndGet() : state.get();
                            ReadPlan plan = plan(client);
                            assertThat(plan.generation()).isBetween(before, (long) state.get());
                            assertThat(names(plan)).containsExactly(Long.toString(plan.generation()));
                        }
                        return null;
                    }));
                }
                for (Future<?> each : done) {
                    each.get();
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** A NameNode from before there were tokens. */
    @Test
    void aServerThatDoesNotKnowTokensPlansEachTime() throws Exception {
        try (OtherServer server = new OtherServer(
                        OtherServer.without("PlanRequestProto", "token", "parallelism", "page_files")
                                .andThen(OtherServer.without("PlanResponseProto", "token", "unchanged")),
                        request -> plan(1, "a").build());
                MpsrClient client = server.client()) {
            ReadRequest readRequest = new ReadRequest(Filter.ALL, Set.of("signal"), 16, Set.of());
            IntStream.range(0, 2)
                    .forEach(i -> assertThat(names(planOf(client, readRequest))).containsExactly("a"));
            assertThat(server.requests()).hasSize(2).allSatisfy(request -> {
                assertThat(request.getDescriptorForType().findFieldByName("parallelism"))
                        .isNull();
                assertThat(request.getUnknownFields().hasField(PlanRequestProto.PARALLELISM_FIELD_NUMBER))
                        .isTrue();
                assertThat(request(request).getRead().getNameList()).containsExactly("signal");
            });
        }
    }

    private static ReadPlan planOf(MpsrClient client, ReadRequest readRequest) {
        try {
            return client.plan(PATH, readRequest, null, List.of()).orElseThrow();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A NameNode whose protocol lacks the call. */
    @Test
    void aServerThatDoesNotPlanSaysSo() throws Exception {
        try (OtherServer server = new OtherServer(OtherServer.withoutMethod("plan"), request -> NO_DATASET);
                MpsrClient client = server.client()) {
            assertThatThrownBy(() -> plan(client))
                    .isInstanceOfSatisfying(
                            RemoteException.class,
                            e -> assertThat(e.getClassName()).isEqualTo(RpcNoSuchMethodException.class.getName()))
                    .satisfies(e -> assertThat(MpsrClient.isWithoutMpsr(e)).isFalse());
        }
    }
}
