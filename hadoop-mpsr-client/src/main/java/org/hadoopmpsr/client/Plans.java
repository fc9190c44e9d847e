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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.RPC;
import org.hadoopmpsr.client.proto.MpsrProtos.CandidateProto;
import org.hadoopmpsr.client.proto.MpsrProtos.LastTransactionRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlannedFileProto;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.schema.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for plans: NameNodes that are not active first, where there are any to ask, and the active one when none of them
 * can answer. Thread-safe.
 */
final class Plans implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Plans.class);
    /** How long a NameNode that could not answer is left alone, as {@code ObserverReadProxyProvider} does. */
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

    private final MpsrProtocol active;
    private final List<Other> others;

    /** @param others proxies of all NameNodes, each without failover; none to ask only the active one */
    Plans(MpsrProtocol active, List<MpsrProtocol> others) {
        this.active = active;
        this.others = others.stream().map(Other::new).toList();
    }

    /** A NameNode that may be standby, observer or active, and when to ask it again. */
    private static final class Other {
        private final MpsrProtocol proxy;
        private volatile long notBefore = System.nanoTime();

        Other(MpsrProtocol proxy) {
            this.proxy = proxy;
        }

        boolean isDue() {
            return System.nanoTime() - notBefore >= 0;
        }

        void pause() {
            notBefore = System.nanoTime() + PAUSE_NS;
        }
    }

    /** All pages of a plan; empty when the path is not a dataset. */
    Optional<ReadPlan> plan(PlanRequestProto request) throws IOException {
        List<Other> due = others.stream().filter(Other::isDue).toList();
        if (!due.isEmpty()) {
            try {
                return planElsewhere(due, request);
            } catch (IOException e) {
                LOG.debug("the active NameNode is asked, for others do not plan a read of {}", request.getPath(), e);
            }
        }
        return allPages(active, request);
    }

    private Optional<ReadPlan> planElsewhere(List<Other> due, PlanRequestProto request) throws IOException {
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

    private static Optional<ReadPlan> allPages(MpsrProtocol server, PlanRequestProto request) throws IOException {
        PlanResponseProto first = server.plan(request);
        if (!first.getDataset()) {
            return Optional.empty();
        }
        List<ReadPlan.PlannedFile> files = new ArrayList<>();
        PlanResponseProto page = first;
        page.getFileList().forEach(f -> files.add(file(f)));
        while (page.hasNext()) {
            page = server.plan(request.toBuilder()
                    .setFrom(page.getNext())
                    .setGeneration(first.getGeneration())
                    .build());
            page.getFileList().forEach(f -> files.add(file(f)));
        }
        return Optional.of(readPlan(first, files));
    }

    private static ReadPlan readPlan(PlanResponseProto first, List<ReadPlan.PlannedFile> files) {
        return new ReadPlan(
                first.getStock(),
                first.getGroup(),
                first.getRoot(),
                files,
                first.getCandidateList().stream().map(Plans::candidate).toList(),
                first.getReason(),
                first.getGeneration(),
                first.getDefaultFiles(),
                first.getDefaultBytes(),
                Schema.parse(first.getDefinition().getSchema()),
                Dataset.groups(first.getDefinition()));
    }

    private static ReadPlan.PlannedFile file(PlannedFileProto f) {
        return new ReadPlan.PlannedFile(
                f.getPath(),
                f.getLength(),
                f.getModificationTime(),
                f.getRows(),
                f.getBlockList().stream()
                        .map(b -> new ReadPlan.Block(b.getOffset(), b.getLength(), b.getHostList()))
                        .toList(),
                Wire.columns(f.getColumnList()));
    }

    private static Candidate candidate(CandidateProto c) {
        return new Candidate(
                c.getGroup(),
                c.getFiles(),
                c.getBytes(),
                c.getCostMs(),
                c.getAtLeast(),
                c.hasExcluded() ? c.getExcluded() : null);
    }

    @Override
    public void close() {
        others.forEach(o -> RPC.stopProxy(o.proxy));
    }
}
