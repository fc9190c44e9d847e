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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.mount.fuse.Dispatcher;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.Request;
import org.slf4j.Logger;

/**
 * The requests that are not answered yet. A program that gets a signal while it waits is told {@code EINTR} if its request takes longer,
 * so that nobody must wait for a file system that does not answer. Only for requests without effect: of the others, the program must
 * learn what became of them. Thread-safe.
 */
final class Requests {
    private static final Logger LOG = PrintableLog.of(Requests.class);
    private static final int ERROR_BYTES = 16;

    private final Sink sink;
    private final ScheduledExecutorService timer;
    private final long patienceMs;
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

    /** Where answers go. */
    interface Sink {
        void write(ByteBuffer answer) throws IOException;
    }

    private static final class Waiting {
        private final AtomicBoolean answered = new AtomicBoolean();
        private final boolean withoutEffect;

        private Waiting(boolean withoutEffect) {
            this.withoutEffect = withoutEffect;
        }
    }

    /**
     * No requests.
     *
     * @param patienceMs how long a request may take after a signal
     */
    Requests(Sink sink, ScheduledExecutorService timer, long patienceMs) {
        this.sink = sink;
        this.timer = timer;
        this.patienceMs = patienceMs;
    }

    /** A request has come. */
    void begin(Request request) {
        waiting.put(request.unique(), new Waiting(request.isWithoutEffect()));
    }

    /** Sends the answer to a request, unless it has got one. */
    void answer(Request request, ByteBuffer answer) {
        Waiting found = waiting.remove(request.unique());
        if (found != null && found.answered.compareAndSet(false, true)) {
            send(answer);
        }
    }

    /** The program behind a request has got a signal. */
    void interrupt(long unique) {
        Waiting found = waiting.get(unique);
        if (found != null && found.withoutEffect) {
            var unused = timer.schedule(() -> giveUp(unique, found), patienceMs, TimeUnit.MILLISECONDS);
        }
    }

    private void giveUp(long unique, Waiting found) {
        if (found.answered.compareAndSet(false, true)) {
            LOG.info("request {} is given up after a signal", unique);
            ByteBuffer answer = ByteBuffer.allocate(ERROR_BYTES).order(ByteOrder.nativeOrder());
            Dispatcher.fail(unique, Errno.EINTR, answer);
            send(answer);
        }
    }

    private void send(ByteBuffer answer) {
        try {
            sink.write(answer);
        } catch (IOException e) {
            LOG.error("an answer could not be given to the kernel", e);
        }
    }
}
