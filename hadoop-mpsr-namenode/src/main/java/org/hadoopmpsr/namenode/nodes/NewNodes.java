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
package org.hadoopmpsr.namenode.nodes;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.slf4j.Logger;

/** Allocates DataNodes that joined the cluster. */
public final class NewNodes {
    private static final Logger LOG = PrintableLog.of(NewNodes.class);

    private final MpsrNamesystem system;
    private final MpsrConfig config;
    private final Datasets datasets;
    private final Allocation allocation;

    public NewNodes(MpsrNamesystem system, MpsrConfig config, Datasets datasets, Allocation allocation) {
        this.system = system;
        this.config = config;
        this.datasets = datasets;
        this.allocation = allocation;
    }

    /** Allocates the live nodes that have no group. Writes nothing in a cluster without a dataset. */
    public void allocate() throws IOException {
        if (system.safeMode().isOn()
                || datasets.all().isEmpty()
                || config.groups().isEmpty()
                || !allocation.isIncomplete()) {
            return;
        }
        Map<String, String> added = system.write(
                "mpsrAllocate",
                edits -> allocation.allocateNew(edits, config.groups().get()));
        added.forEach((uuid, group) -> LOG.info("MPSR: DataNode {} belongs to replica group {}", uuid, group));
    }
}
