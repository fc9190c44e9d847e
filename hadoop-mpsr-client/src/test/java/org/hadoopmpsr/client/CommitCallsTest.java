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

import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.proto.MpsrProtos.AbortCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.junit.jupiter.api.Test;

/** Commits at a server of our version, and at one that is older. */
class CommitCallsTest {
    private static final Consumer<FileDescriptorProto.Builder> OLDER = OtherServer.without(
                    "BeginCommitRequestProto", "dataset_id", "reads_refusals")
            .andThen(OtherServer.without("BeginCommitResponseProto", "dataset_id", "max_files", "refusal"));

    @Test
    void aRefusalIsAnAnswer() throws Exception {
        Refusal refusal = new Refusal(Kind.OTHER_DATASET, "it is another one");
        try (OtherServer server = new OtherServer(
                        protocol -> {},
                        request -> request.getDescriptorForType().getName().startsWith("Begin")
                                ? BeginCommitResponseProto.newBuilder()
                                        .setRefusal(Wire.refusal(refusal))
                                        .build()
                                : PublishResponseProto.newBuilder()
                                        .setOutcome(PublishResponseProto.Outcome.REFUSED)
                                        .setRefusal(Wire.refusal(refusal))
                                        .build());
                MpsrClient client = server.client()) {
            BegunCommit begun = client.beginCommit("/cals/meas", "meas-1", "c");
            assertThat(begun).isEqualTo(new BegunCommit("", 0, refusal));
            PublishResult result =
                    client.publish("/cals/meas", "meas-1", "c", List.of(new CommitSource("t", 0, 0, 1)), List.of());
            assertThat(result).isEqualTo(new PublishResult(Outcome.REFUSED, refusal.reason(), refusal, List.of()));
            assertThat(result.isCommitted()).isFalse();
            assertThat(server.requests())
                    .allSatisfy(request ->
                            assertThat(request.toString()).contains("meas-1").contains("reads_refusals: true"));
        }
    }

    @Test
    void anOlderNameNodeGetsNoCommitAndTheWriterIsToldWhatToDo() throws Exception {
        try (OtherServer server = new OtherServer(OLDER, CommitCallsTest::older);
                MpsrClient client = server.client()) {
            Refusal refusal = client.beginCommit("/cals/meas", "meas-1", "c").refusal();
            assertThat(refusal.kind()).isEqualTo(Kind.OTHER_VERSION);
            assertThat(refusal.mayPass()).isTrue();
            assertThat(refusal.reason()).contains("upgrade MPSR in the NameNode");
            assertThat(server.requests()).as("what was begun is aborted").hasSize(2);
        }
    }

    private static Message older(Message request) {
        return request.getDescriptorForType().getName().startsWith("Begin")
                ? BeginCommitResponseProto.newBuilder()
                        .setStagingDir("/.mpsr/datasets/meas-2/staging/c")
                        .build()
                : AbortCommitResponseProto.getDefaultInstance();
    }

    @Test
    void theKindsOfTheWireAreThoseOfTheModel() {
        for (Kind kind : Kind.values()) {
            if (kind != Kind.OTHER_VERSION) { // the client's own
                Refusal refusal = new Refusal(kind, "why");
                assertThat(Wire.refusal(Wire.refusal(refusal))).isEqualTo(refusal);
            }
        }
    }
}
