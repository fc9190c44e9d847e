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
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.mount.fuse.Dispatcher;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.hadoopmpsr.mount.fuse.Request;
import org.hadoopmpsr.mount.view.Errors;
import org.hadoopmpsr.mount.view.HdfsView;
import org.slf4j.Logger;

/** Takes requests from the device, one after the other, and has them served by several threads. */
final class FuseServer {
    private static final Logger LOG = PrintableLog.of(FuseServer.class);
    private static final long PATIENCE_MS = 1_000;

    private final FuseDevice device;
    private final HdfsView view;
    private final Runnable begun;
    private final ThreadPoolExecutor threads;
    private final Requests requests;
    private final Dispatcher dispatcher;
    private final ThreadLocal<ByteBuffer> answers = ThreadLocal.withInitial(Dispatcher::answerBuffer);

    /**
     * A server that does not serve yet.
     *
     * @param threads that serve, at least 1
     * @param begun called once, when the kernel has got its first answer
     */
    FuseServer(FuseDevice device, HdfsView view, int threads, Runnable begun) {
        this.device = device;
        this.view = view;
        this.begun = begun;
        this.threads = new ThreadPoolExecutor(
                threads, threads, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), daemons("mpsr-mount-"));
        this.threads.allowCoreThreadTimeOut(true);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons("mpsr-mount-signals-"));
        this.requests = new Requests(device::write, timer, PATIENCE_MS);
        this.dispatcher = new Dispatcher(view, FuseServer::errno);
    }

    /** Serves until it is unmounted. */
    void run() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Dispatcher.REQUEST_BYTES).order(ByteOrder.nativeOrder());
        while (device.read(buffer)) {
            try {
                take(Request.copyOf(buffer));
            } catch (ErrnoException e) {
                LOG.error("a request of the kernel cannot be read", e);
            }
        }
    }

    private void take(Request request) throws ErrnoException {
        if (request.isInterrupt()) {
            requests.interrupt(request.u64());
            return;
        }
        if (request.isWithoutAnswer()) {
            dispatcher.serve(request, false, answers.get());
            return;
        }
        requests.begin(request);
        if (request.isInit()) {
            serve(request, false);
            begun.run();
            return;
        }
        Executor lane =
                request.isRead() ? view.order(request.handle(), request.offset(), request.size(), threads) : null;
        (lane == null ? threads : lane).execute(() -> serve(request, lane != null));
    }

    private void serve(Request request, boolean inSequence) {
        ByteBuffer answer = answers.get();
        dispatcher.serve(request, inSequence, answer);
        requests.answer(request, answer);
    }

    /** What nobody expects is worth a line in the log; what programs are told anyway is not. */
    private static Errno errno(Throwable failure) {
        Errno errno = Errors.of(failure);
        switch (errno) {
            case EIO, EHOSTDOWN, ENOMEM -> LOG.warn("a request fails with " + errno, failure);
            default -> LOG.debug("a request fails with {}", errno, failure);
        }
        return errno;
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger next = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + next.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
