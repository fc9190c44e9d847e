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
import java.util.ArrayList;
import java.util.List;
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
import org.slf4j.Logger;

/** Deletes abandoned staged commits: those in which nothing changed for a number of hours. */
public final class StagingExpiry {
    private static final Logger LOG = PrintableLog.of(StagingExpiry.class);

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final Counters counters;
    private final int hours;

    public StagingExpiry(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            Counters counters,
            int hours) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.counters = counters;
        this.hours = hours;
    }

    public void deleteExpired() throws IOException {
        if (system.safeMode().isOn()) {
            return;
        }
        long before = system.clock().now() - TimeUnit.HOURS.toMillis(hours);
        for (DatasetRecord dataset : datasets.all()) {
            List<String> expired = system.read(() -> expired(dataset, before));
            for (String staging : expired) {
                system.write("mpsrExpireStaging", edits -> {
                    edits.delete(staging);
                    return true;
                });
                counters.increment(Counter.EXPIRED_STAGING);
                LOG.info("MPSR: deleted {}, which was never published", staging);
            }
        }
    }

    private List<String> expired(DatasetRecord dataset, long before) throws IOException {
        List<String> expired = new ArrayList<>();
        for (INode staging : namespace.children(layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING)) {
            if (newest(staging) < before) {
                expired.add(staging.getFullPathName());
            }
        }
        return expired;
    }

    private static long newest(INode inode) {
        long newest = inode.getModificationTime();
        for (INode child : Namespace.children(inode)) {
            newest = Math.max(newest, newest(child));
        }
        return newest;
    }
}
