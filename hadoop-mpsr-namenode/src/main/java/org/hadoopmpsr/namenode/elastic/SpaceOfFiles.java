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
package org.hadoopmpsr.namenode.elastic;

import java.io.IOException;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.RepresentationName;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.Indexes;

/** What all published files take without further copies. Thread-safe. */
final class SpaceOfFiles {
    private final MpsrConfig config;
    private final Datasets datasets;
    private final Indexes indexes;

    SpaceOfFiles(MpsrConfig config, Datasets datasets, Indexes indexes) {
        this.config = config;
        this.datasets = datasets;
        this.indexes = indexes;
    }

    /** The bytes of all copies. */
    long bytes() throws IOException {
        long bytes = 0;
        for (DatasetRecord dataset : datasets.all()) {
            DatasetIndex index = indexes.of(dataset);
            for (String name : dataset.groups().names()) {
                int copies = config.groups()
                        .flatMap(groups -> groups.find(RepresentationName.group(name)))
                        .map(ReplicaGroup::replication)
                        .orElse(1);
                bytes += copies * index.group(name).bytes();
            }
        }
        return bytes;
    }
}
