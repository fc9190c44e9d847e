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
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusRequestProto;
import org.junit.jupiter.api.Test;

class ServerErrorsTest {
    private static final String TRACE = "\n\tat org.hadoopmpsr.namenode.Some.thing(Some.java:1)";

    /** A protocol whose calls all fail. */
    private static MpsrProtocol failing(IOException failure) {
        return ServerErrors.thrownBy((MpsrProtocol) Proxy.newProxyInstance(
                MpsrProtocol.class.getClassLoader(), new Class<?>[] {MpsrProtocol.class}, (proxy, method, args) -> {
                    throw failure;
                }));
    }

    private static Throwable failure(IOException thrown) {
        return catchThrowable(() -> failing(thrown).status(StatusRequestProto.getDefaultInstance()));
    }

    @Test
    void everyCallThrowsWhatTheServerThrew() throws Exception {
        MpsrProtocol protocol = failing(
                new RemoteException(AccessControlException.class.getName(), "Permission denied: user=x" + TRACE));
        for (Method call : MpsrProtocol.class.getDeclaredMethods()) {
            Object request =
                    call.getParameterTypes()[0].getMethod("getDefaultInstance").invoke(null);
            assertThatThrownBy(() -> {
                        try {
                            call.invoke(protocol, request);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    })
                    .as(call.getName())
                    .isExactlyInstanceOf(AccessControlException.class)
                    .hasMessage("Permission denied: user=x")
                    .hasCauseInstanceOf(RemoteException.class);
        }
    }

    @Test
    void whatSaysWhatIsWrongKeepsItsClass() {
        for (Class<? extends IOException> type : List.of(
                FileNotFoundException.class,
                RetriableException.class,
                StandbyException.class,
                DSQuotaExceededException.class,
                PlanChangedException.class)) {
            Throwable thrown = failure(new RemoteException(type.getName(), "first\nsecond" + TRACE));
            assertThat(thrown).isExactlyInstanceOf(type).hasMessage("first\nsecond");
            assertThat(MpsrClient.isAnswer(thrown)).isTrue();
        }
    }

    @Test
    void anyOtherErrorOfTheServerStaysRemoteAndAnErrorOnTheWayIsNoAnswer() {
        IOException other = new RemoteException("java.io.IOException", "MPSR is off" + TRACE);
        assertThat(failure(other)).isSameAs(other);
        assertThat(MpsrClient.isAnswer(other)).isTrue();
        assertThat(MpsrClient.answer(other)).isEqualTo("MPSR is off");

        IOException lost = new ConnectException("Connection refused");
        assertThat(failure(lost)).isSameAs(lost);
        assertThat(MpsrClient.isAnswer(lost)).isFalse();
    }

    @Test
    void theErrorOfARealServerArrivesAsItWasThrown() throws Exception {
        try (OtherServer server = new OtherServer(protocol -> {}, request -> {
                    throw new FileNotFoundException("/cals/meas is not a dataset");
                });
                MpsrClient client = server.client()) {
            assertThatThrownBy(() -> client.getDataset("/cals/meas"))
                    .isExactlyInstanceOf(FileNotFoundException.class)
                    .hasMessage("/cals/meas is not a dataset");
        }
    }
}
