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

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.junit.jupiter.api.Test;

class MpsrProtocolTranslatorTest {
    private static final IOException UNKNOWN =
            new RemoteException(RpcNoSuchProtocolException.class.getName(), "Unknown protocol");
    private static final IOException STARTING = new RemoteException(RetriableException.class.getName(), "not started");
    private static final StatusResponseProto ANSWER = StatusResponseProto.newBuilder()
            .setState("ready")
            .setStoreDir("/.mpsr")
            .setDatasets(0)
            .setVersion("1")
            .build();

    /** A translator to a server that gives these answers, one to a call. */
    private static MpsrProtocol translator(MpsrProtocolTranslator.StartCheck start, Object... answers) {
        Deque<Object> left = new ArrayDeque<>(List.of(answers));
        MpsrProtocolPB server = (MpsrProtocolPB) Proxy.newProxyInstance(
                MpsrProtocolPB.class.getClassLoader(), new Class<?>[] {MpsrProtocolPB.class}, (proxy, method, args) -> {
                    Object answer = left.remove();
                    if (answer instanceof IOException e) {
                        throw new ServiceException(e);
                    }
                    return answer;
                });
        return new MpsrProtocolTranslator(server, start);
    }

    private static StatusResponseProto status(MpsrProtocol protocol) throws IOException {
        return protocol.status(StatusRequestProto.getDefaultInstance());
    }

    @Test
    void aNameNodeThatStartsSaysSo() {
        MpsrProtocol protocol = translator(
                () -> {
                    throw STARTING;
                },
                UNKNOWN);

        assertThatThrownBy(() -> status(protocol)).isSameAs(STARTING);
    }

    @Test
    void aNameNodeThatHasStartedMeanwhileIsAskedAgain() throws IOException {
        assertThat(status(translator(() -> {}, UNKNOWN, ANSWER))).isEqualTo(ANSWER);
    }

    @Test
    void aNameNodeWithoutMpsrDoesNotKnowTheProtocol() {
        MpsrProtocol protocol = translator(() -> {}, UNKNOWN, UNKNOWN);

        assertThatThrownBy(() -> status(protocol)).isSameAs(UNKNOWN);
    }
}
