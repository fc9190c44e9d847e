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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
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
    private final int hours;
    private final int emptyMinutes;

    public StagingExpiry(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            Counters counters,
            OpenCommits open,
            int hours,
            int emptyMinutes) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.counters = counters;
        this.open = open;
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
            for (String staging : stagedIn(dataset)) {
                OpenCommits.Open commit = system.read(() -> unexpired(dataset, staging));
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
        boolean deleted = system.write("mpsrExpireStaging", edits -> {
            // it may have been begun anew meanwhile, or be gone
            boolean expired = namespace.find(staging) != null && unexpired(dataset, staging) == null;
            if (expired) {
                edits.delete(staging);
            }
            return expired;
        });
        if (deleted) {
            open.end(staging);
            counters.increment(Counter.EXPIRED_STAGING);
            LOG.info("MPSR: deleted {}, which was never published", staging);
        }
    }

    private List<String> stagedIn(DatasetRecord dataset) throws IOException {
        return system.read(
                () -> namespace.children(layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING).stream()
                        .map(INode::getFullPathName)
                        .toList());
    }

    /** The commit of a staging directory; null if it has expired or is gone. */
    private OpenCommits.@Nullable Open unexpired(DatasetRecord dataset, String staging) throws IOException {
        INode directory = namespace.find(staging);
        if (directory == null) {
            return null;
        }
        long age = holdsFile(directory) ? TimeUnit.HOURS.toMillis(hours) : TimeUnit.MINUTES.toMillis(emptyMinutes);
        return newest(directory) < system.clock().now() - age
                ? null
                : new OpenCommits.Open(
                        dataset.id(), directory.getUserName(), system.clock().now());
    }

    private static boolean holdsFile(INode inode) {
        return inode.isFile() || Namespace.children(inode).stream().anyMatch(StagingExpiry::holdsFile);
    }

    private static long newest(INode inode) {
        long newest = inode.getModificationTime();
        for (INode child : Namespace.children(inode)) {
            newest = Math.max(newest, newest(child));
        }
        return newest;
    }
}
