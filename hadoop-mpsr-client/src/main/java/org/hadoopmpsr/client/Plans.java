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

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.proto.MpsrProtos.LastTransactionRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Asks for plans. NameNodes that are not active are asked first, if there are any, and the active NameNode if none of
 * them can answer. Plans are kept; a kept plan that still holds is not sent again. Thread-safe.
 */
final class Plans implements Closeable {
    private static final Logger LOG = PrintableLog.of(Plans.class);
    /**
     * The time for which a NameNode that could not answer is not asked again, as in {@code ObserverReadProxyProvider}.
     */
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    /** The maximum number of attempts for a plan whose pages show different states of the dataset. */
    private static final int ATTEMPTS = 5;
    /** The maximum number of planned files that are kept. */
    static final long KEPT_FILES = 200_000;

    private final MpsrProtocol active;
    private final List<Other> others;
    private final PlanCache cache;

    /**
     * Asks a NameNode.
     *
     * @param others proxies of all NameNodes, each without failover; empty to ask only the active one
     * @param cache keeps the plans, and may keep those of others
     */
    Plans(MpsrProtocol active, List<MpsrProtocol> others, Timer clock, PlanCache cache) {
        this.active = active;
        this.cache = cache;
        this.others = others.stream().map(other -> new Other(other, clock)).toList();
    }

    /** A NameNode that may be standby, observer or active, and the time when it may be asked again. */
    private static final class Other {
        private final MpsrProtocol proxy;
        private final Timer clock;
        private volatile long notBefore;

        Other(MpsrProtocol proxy, Timer clock) {
            this.proxy = proxy;
            this.clock = clock;
            this.notBefore = clock.monotonicNowNanos();
        }

        boolean isDue() {
            return clock.monotonicNowNanos() - notBefore >= 0;
        }

        void pause() {
            notBefore = clock.monotonicNowNanos() + PAUSE_NS;
        }
    }

    /** All pages of a plan; empty if the path is not a dataset. */
    Optional<ReadPlan> plan(PlanRequestProto request) throws IOException {
        PlanCache.Entry entry = cache.get(this, request);
        PlanRequestProto question = entry == null
                ? request
                : request.toBuilder().setToken(entry.token()).build();
        Answer answer = ask(question);
        if (answer.unchanged()) {
            if (entry == null) {
                throw new IOException("the NameNode says that a plan still holds that it was not asked about");
            }
            return Optional.of(entry.plan());
        }
        ReadPlan plan = answer.plan();
        if (plan != null && answer.first().hasToken()) {
            cache.put(this, request, new PlanCache.Entry(answer.first().getToken(), plan));
        } else {
            cache.remove(this, request);
        }
        return Optional.ofNullable(plan);
    }

    /**
     * The answer of a server.
     *
     * @param plan all pages; null if the path is not a dataset, or if the plan is unchanged
     */
    private record Answer(PlanResponseProto first, @Nullable ReadPlan plan) {
        boolean unchanged() {
            return first.getUnchanged();
        }
    }

    private Answer ask(PlanRequestProto request) throws IOException {
        List<Other> due = others.stream().filter(Other::isDue).toList();
        if (!due.isEmpty()) {
            try {
                return askElsewhere(due, request);
            } catch (IOException e) {
                LOG.debug("the active NameNode is asked, for others do not plan a read of {}", request.getPath(), e);
            }
        }
        return allPages(active, request);
    }

    private Answer askElsewhere(List<Other> due, PlanRequestProto request) throws IOException {
        PlanRequestProto elsewhere = request.toBuilder()
                .setStandbyTransaction(active.lastTransaction(LastTransactionRequestProto.getDefaultInstance())
                        .getTransaction())
                .build();
        IOException last = null;
        for (Other other : due) {
            try {
                return allPages(other.proxy, elsewhere);
            } catch (IOException e) {
                other.pause();
                last = e;
            }
        }
        throw new IOException("no NameNode but the active one can tell", last);
    }

    /** Reads all pages. Starts again if a page shows another state of the dataset than the first page. */
    private static Answer allPages(MpsrProtocol server, PlanRequestProto request) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                PlanResponseProto first = server.plan(request);
                if (request.hasAsOf() && first.getDataset() && !first.hasAsOfSequence()) {
                    throw new IOException("the NameNode does not know earlier states of datasets, and "
                            + request.getPath() + " cannot be read as of " + request.getAsOf()
                            + "; upgrade MPSR on every NameNode");
                }
                return first.getDataset() && !first.getUnchanged()
                        ? new Answer(first, PlanWire.plan(first, files(server, request, first)))
                        : new Answer(first, null);
            } catch (IOException e) {
                if (attempt == ATTEMPTS || !(e instanceof PlanChangedException)) {
                    throw e;
                }
                LOG.debug("a plan of {} is begun again", request.getPath(), e);
            }
        }
    }

    private static PlanWire.Files files(MpsrProtocol server, PlanRequestProto request, PlanResponseProto first)
            throws IOException {
        PlanWire.Files files = new PlanWire.Files(first);
        for (PlanResponseProto page = first; page.hasNext(); ) {
            PlanRequestProto.Builder next =
                    request.toBuilder().clearToken().setFrom(page.getNext()).setGeneration(first.getGeneration());
            if (first.hasUnion()) {
                next.setUnion(first.getUnion()).setPart(page.getNextPart());
            }
            page = server.plan(next.build());
            if (!page.getDataset() || page.getGeneration() != first.getGeneration()) {
                throw new PlanChangedException(
                        "the dataset " + request.getPath() + " ended between two pages of its plan; plan again");
            }
            files.add(page);
        }
        return files;
    }

    @Override
    public void close() {
        others.forEach(o -> RPC.stopProxy(o.proxy));
        cache.removeAll(this);
    }
}
