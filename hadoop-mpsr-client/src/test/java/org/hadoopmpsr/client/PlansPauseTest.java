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

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.proto.MpsrProtos.LastTransactionResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.wire.ReadRequestWire;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.junit.jupiter.api.Test;

class PlansPauseTest {
    private static final PlanRequestProto REQUEST = ReadRequestWire.request(ReadRequest.ofAllColumns(Filter.ALL))
            .setPath("/d")
            .build();
    private static final PlanResponseProto NO_DATASET =
            PlanResponseProto.newBuilder().setDataset(false).build();

    private int asked;
    private long laterSeconds;
    private final Timer clock = new Timer() {
        @Override
        public long monotonicNowNanos() {
            return TimeUnit.SECONDS.toNanos(laterSeconds);
        }
    };

    /** A NameNode that answers, or that cannot plan. */
    private MpsrProtocol nameNode(boolean plans) {
        return (MpsrProtocol) Proxy.newProxyInstance(
                MpsrProtocol.class.getClassLoader(), new Class<?>[] {MpsrProtocol.class}, (proxy, method, args) -> {
                    if (method.getName().equals("lastTransaction")) {
                        return LastTransactionResponseProto.newBuilder()
                                .setTransaction(1)
                                .build();
                    }
                    if (!plans) {
                        asked++;
                        throw new IOException("behind");
                    }
                    return NO_DATASET;
                });
    }

    @Test
    void aNameNodeThatCouldNotAnswerIsAskedAgainAfterTenSeconds() throws IOException {
        Plans plans = new Plans(nameNode(true), List.of(nameNode(false)), clock, new PlanCache(Plans.KEPT_FILES));

        assertThat(plans.plan(REQUEST)).isEmpty();
        assertThat(asked).isEqualTo(1);
        laterSeconds = 9;
        assertThat(plans.plan(REQUEST)).isEmpty();
        assertThat(asked).isEqualTo(1);
        laterSeconds = 10;
        assertThat(plans.plan(REQUEST)).isEmpty();
        assertThat(asked).isEqualTo(2);
    }
}
