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
package org.hadoopmpsr.namenode.staging;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Deletes abandoned staged commits: those without a file in which nothing changed for a number of minutes, and others in
 * which nothing changed for a number of hours.
 */
public final class StagingExpiry {
    private static final Logger LOG = PrintableLog.of(StagingExpiry.class);

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final Counters counters;
    private final OpenCommits open;
    private final Deletion deletion;
    private final int hours;
    private final int emptyMinutes;

    public StagingExpiry(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            Counters counters,
            OpenCommits open,
            Deletion deletion,
            int hours,
            int emptyMinutes) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.counters = counters;
        this.open = open;
        this.deletion = deletion;
        this.hours = hours;
        this.emptyMinutes = emptyMinutes;
    }

    /** Deletes what has expired, and counts what is still open. */
    public void deleteExpired() throws IOException {
        if (system.safeMode().isOn()) {
            return;
        }
        long started = system.clock().now();
        Map<String, OpenCommits.Open> found = new HashMap<>();
        for (DatasetRecord dataset : datasets.all()) {
            String all = layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING;
            for (String name : namespace.entries(all, INode::getLocalName)) {
                String staging = all + "/" + name;
                OpenCommits.Open commit = unexpired(dataset, staging);
                if (commit == null) {
                    delete(dataset, staging);
                } else {
                    found.put(staging, commit);
                }
            }
        }
        open.found(found, started);
    }

    private void delete(DatasetRecord dataset, String staging) throws IOException {
        try {
            open.alone(staging, () -> deleteAlone(dataset, staging));
        } catch (RetriableException e) {
            LOG.info("MPSR: {} is looked at again later: {}", staging, e.getMessage());
        }
    }

    /** Returns true if it was deleted: it may have been begun anew meanwhile, or be gone. */
    private boolean deleteAlone(DatasetRecord dataset, String staging) throws IOException {
        boolean expired = system.read(() -> namespace.find(staging) != null) && unexpired(dataset, staging) == null;
        if (expired) {
            deletion.all("mpsrExpireStaging", staging);
            open.end(staging);
            counters.increment(Counter.EXPIRED_STAGING);
            LOG.info("MPSR: deleted {}, which was never published", staging);
        }
        return expired;
    }

    /** The commit of a staging directory; null if it has expired or is gone. Takes the read lock in short holds. */
    private OpenCommits.@Nullable Open unexpired(DatasetRecord dataset, String staging) throws IOException {
        long now = system.clock().now();
        long agedMs = TimeUnit.HOURS.toMillis(hours);
        long agedEmptyMs = TimeUnit.MINUTES.toMillis(emptyMinutes);
        String[] owner = new String[1];
        boolean[] holdsFile = new boolean[1];
        long[] newest = new long[1];
        namespace.walkAll(staging, inode -> {
            owner[0] = owner[0] == null ? inode.getUserName() : owner[0]; // of the directory itself, which comes first
            holdsFile[0] |= inode.isFile();
            newest[0] = Math.max(newest[0], inode.getModificationTime());
            // what changed lately has not expired, whatever else there is
            return newest[0] < now - (holdsFile[0] ? agedMs : Math.min(agedMs, agedEmptyMs));
        });
        long age = holdsFile[0] ? agedMs : agedEmptyMs;
        return newest[0] < now - age ? null : new OpenCommits.Open(dataset.id(), owner[0], now);
    }
}
