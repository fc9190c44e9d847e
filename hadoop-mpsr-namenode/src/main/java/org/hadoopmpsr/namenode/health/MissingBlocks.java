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
package org.hadoopmpsr.namenode.health;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.CommitContents;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.PartitionIndex;
import org.hadoopmpsr.namenode.store.DropRecord;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/**
 * Counts the blocks of datasets that no DataNode has reported. A block can be spared if its file's commit is complete
 * in another group, or if its file is only staged, because the records are then still at their source, or if its file was
 * replaced, because the records are then in another file.
 */
public final class MissingBlocks {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final Indexes indexes;

    public MissingBlocks(
            MpsrNamesystem system, Namespace namespace, StoreLayout layout, Datasets datasets, Indexes indexes) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.indexes = indexes;
    }

    /** The numbers of blocks that can be spared, and that cannot. */
    record Count(long spared, long lost) {
        private Count plus(Count other) {
            return new Count(spared + other.spared, lost + other.lost);
        }
    }

    /** Visits every file of every dataset, with the read lock in short holds. */
    Count count() throws IOException {
        Count sum = new Count(0, 0);
        for (DatasetRecord dataset : datasets.all()) {
            sum = sum.plus(published(dataset))
                    .plus(spared(layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING))
                    .plus(spared(layout.replacedDir(dataset.id())));
        }
        for (DropRecord dropped : datasets.dropped()) {
            sum = sum.plus(spared(dropped.storeDir()));
        }
        return sum;
    }

    private Count published(DatasetRecord dataset) throws IOException {
        DatasetIndex index = indexes.of(dataset);
        long spared = 0;
        long lost = 0;
        for (String group : dataset.groups().names()) {
            Map<String, Long> missing = missing(index.group(group));
            if (!missing.isEmpty()) {
                Set<String> whole = wholeElsewhere(dataset, index, group, missing.keySet());
                for (Map.Entry<String, Long> commit : missing.entrySet()) {
                    boolean spare = whole.contains(commit.getKey());
                    spared += spare ? commit.getValue() : 0;
                    lost += spare ? 0 : commit.getValue();
                }
            }
        }
        return new Count(spared, lost);
    }

    /** The blocks that are missing, by commit. */
    private Map<String, Long> missing(GroupIndex group) throws IOException {
        Map<String, Long> missing = new HashMap<>();
        for (PartitionIndex partition : group.partitions()) {
            LockSteps.read(system, partition.inodes(), files -> {
                for (INodeFile file : files) {
                    Header header = StoredStatistics.header(file);
                    long blocks = header == null ? 0 : missing(file);
                    if (header != null && blocks > 0) {
                        missing.merge(header.commitId(), blocks, Long::sum);
                    }
                }
            });
        }
        return missing;
    }

    /** Those of the commits of which some other group has all records, in files as they were published, with all their blocks. */
    private Set<String> wholeElsewhere(DatasetRecord dataset, DatasetIndex index, String group, Set<String> commits)
            throws IOException {
        boolean isLossy = dataset.isLossy(group);
        CommitContents own = CommitContents.of(index.group(group), isLossy);
        Set<String> whole = new HashSet<>();
        for (String other : dataset.groups().names()) {
            if (!other.equals(group) && !dataset.isLossy(other)) {
                CommitContents there = CommitContents.of(index.group(other), isLossy);
                Set<String> broken = broken(index.group(other));
                commits.stream()
                        .filter(id -> !broken.contains(id) && there.holds(id, own))
                        .forEach(whole::add);
            }
        }
        return whole;
    }

    /** The commits of which a block is missing, or a file is not what was published. */
    private Set<String> broken(GroupIndex group) throws IOException {
        Set<String> broken = new HashSet<>();
        for (PartitionIndex partition : group.partitions()) {
            LockSteps.read(system, partition.inodes(), files -> {
                for (INodeFile file : files) {
                    Header header = StoredStatistics.header(file);
                    if (header != null && (missing(file) > 0 || !StoredStatistics.isUnchanged(file))) {
                        broken.add(header.commitId());
                    }
                }
            });
        }
        return broken;
    }

    /** Counts blocks that can be spared because they are only staged, were replaced, or belong to a dropped dataset. */
    private Count spared(String directory) throws IOException {
        long[] missing = new long[1];
        namespace.walk(directory, (path, file) -> {
            missing[0] += missing(file);
            return true;
        });
        return new Count(missing[0], 0);
    }

    private long missing(INodeFile file) {
        long missing = 0;
        for (BlockInfo block : file.getBlocks()) {
            missing += block.isComplete()
                            && ReadableReplicas.of(system.blocks(), block).isEmpty()
                    ? 1
                    : 0;
        }
        return missing;
    }
}
