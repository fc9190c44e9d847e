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
package org.hadoopmpsr.mount.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.hadoopmpsr.mount.fuse.Dispatcher;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.Request;
import org.hadoopmpsr.mount.fuse.RequestBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestsTest {
    private static final int GETATTR = 3;
    private static final int MKDIR = 9;
    private static final int EXDEV = Errno.EXDEV.number();
    private static final int EINTR = Errno.EINTR.number();

    private final List<Integer> errors = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private Requests requests(long patienceMs) {
        return new Requests(answer -> errors.add(-answer.getInt(4)), timer, patienceMs);
    }

    @AfterEach
    void end() {
        timer.shutdownNow();
    }

    private static ByteBuffer answer(Request request) {
        ByteBuffer answer = ByteBuffer.allocate(100).order(ByteOrder.nativeOrder());
        Dispatcher.fail(request.unique(), Errno.EXDEV, answer);
        return answer;
    }

    @Test
    void aRequestIsAnsweredOnce() throws Exception {
        Request request = RequestBytes.of(GETATTR, 1).request();
        Requests requests = requests(0);
        requests.begin(request);
        requests.answer(request, answer(request));
        requests.answer(request, answer(request));
        requests.interrupt(request.unique());
        timer.submit(() -> {}).get();
        assertThat(errors).containsExactly(EXDEV);
    }

    @Test
    void aSignalEndsTheWaitForWhatTakesLong() throws Exception {
        Request request = RequestBytes.of(GETATTR, 1).request();
        Requests requests = requests(1);
        requests.begin(request);
        requests.interrupt(request.unique());
        Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> !errors.isEmpty());
        requests.answer(request, answer(request));
        assertThat(errors).containsExactly(EINTR);
    }

    @Test
    void whatIsAnsweredInTimeIsNotInterrupted() throws Exception {
        Request request = RequestBytes.of(GETATTR, 1).request();
        Requests requests = requests(TimeUnit.HOURS.toMillis(1));
        requests.begin(request);
        requests.interrupt(request.unique());
        requests.answer(request, answer(request));
        assertThat(errors).containsExactly(EXDEV);
    }

    @Test
    void whatChangesSomethingIsWaitedFor() throws Exception {
        Request request = RequestBytes.of(MKDIR, 1).u32(0700, 0).name("x").request();
        Requests requests = requests(0);
        requests.begin(request);
        requests.interrupt(request.unique());
        timer.submit(() -> {}).get();
        assertThat(errors).isEmpty();
        requests.answer(request, answer(request));
        assertThat(errors).containsExactly(EXDEV);
    }
}
