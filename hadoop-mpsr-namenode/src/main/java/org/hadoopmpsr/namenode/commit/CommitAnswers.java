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
package org.hadoopmpsr.namenode.commit;

import java.io.IOException;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.BeginCommitResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishResponseProto.Outcome;
import org.hadoopmpsr.client.wire.Wire;

/** The answers to writers: a refusal is one of them, or an error for a writer that does not read refusals. */
public final class CommitAnswers {
    private final Commits commits;

    public CommitAnswers(Commits commits) {
        this.commits = commits;
    }

    public BeginCommitResponseProto begin(BeginCommitRequestProto request) throws IOException {
        try {
            return commits.begin(request);
        } catch (RefusedException e) {
            if (!request.getReadsRefusals()) {
                throw e.error();
            }
            return BeginCommitResponseProto.newBuilder()
                    .setRefusal(Wire.refusal(e.refusal()))
                    .build();
        }
    }

    public PublishResponseProto publish(PublishRequestProto request) throws IOException {
        try {
            return commits.publish(request);
        } catch (RefusedException e) {
            if (!request.getReadsRefusals()) {
                throw e.error();
            }
            return PublishResponseProto.newBuilder()
                    .setOutcome(Outcome.REFUSED)
                    .setReason(e.refusal().reason())
                    .setRefusal(Wire.refusal(e.refusal()))
                    .build();
        }
    }
}
