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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.elastic.ElasticFile;
import org.hadoopmpsr.core.elastic.FileHeat;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.hadoopmpsr.namenode.nodes.CopyBounds;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** The files that may have further copies, as HDFS has them now. */
final class ElasticFiles {
    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Datasets datasets;
    private final BlockGroups groups;
    private final CopyBounds bounds;

    ElasticFiles(
            MpsrNamesystem system,
            StoreLayout layout,
            MpsrConfig config,
            Datasets datasets,
            BlockGroups groups,
            CopyBounds bounds) {
        this.system = system;
        this.layout = layout;
        this.config = config;
        this.datasets = datasets;
        this.groups = groups;
        this.bounds = bounds;
    }

    /** A file in its place. */
    record Place(INodeFile file, DatasetRecord dataset, ReplicaGroup group) {}

    /** Those of the files that are published and not replaced, with how often they were read. Takes the read lock in short holds. */
    List<ElasticFile> of(Collection<Long> ids, FileHeat heat, long nowMs) throws IOException {
        Map<String, Integer> most = new HashMap<>();
        List<ElasticFile> files = new ArrayList<>();
        LockSteps.read(system, List.copyOf(ids), part -> {
            for (long id : part) {
                Place place = find(id);
                if (place != null) {
                    int least = place.group().replication();
                    files.add(new ElasticFile(
                            id,
                            place.file().computeFileSize(),
                            least,
                            most.computeIfAbsent(place.group().name(), group -> bounds.most(group, least)),
                            place.file().getFileReplication(),
                            heat.of(id, nowMs)));
                }
            }
        });
        return files;
    }

    /** A published file that is not replaced, where its group is configured; else null. Needs the lock. */
    @Nullable
    Place find(long id) {
        INodeFile file = published(id);
        String path = file == null ? "" : file.getFullPathName();
        Optional<DatasetRecord> dataset = file == null ? Optional.empty() : dataset(path);
        Optional<ReplicaGroup> group = groups.ofFile(path).flatMap(this::group);
        boolean replaced = dataset.isPresent()
                && PathNames.isAtOrBelow(layout.replacedDir(dataset.get().id()), path);
        return file == null || dataset.isEmpty() || group.isEmpty() || replaced
                ? null
                : new Place(file, dataset.get(), group.get());
    }

    /** A file that has been published and is whole; else null. Needs the lock. */
    @Nullable
    INodeFile published(long id) {
        INode inode = system.directory().getInode(id);
        boolean is = inode != null
                && inode.isFile()
                && !inode.asFile().isUnderConstruction()
                && !inode.asFile().isStriped()
                && StoredStatistics.isPublished(inode.asFile());
        return is ? inode.asFile() : null;
    }

    /** The copies that the group of a file has; empty if that is not configured. */
    Optional<Integer> least(INodeFile file) {
        return groups.ofFile(file.getFullPathName()).flatMap(this::group).map(ReplicaGroup::replication);
    }

    private Optional<ReplicaGroup> group(String name) {
        return config.groups().flatMap(all -> all.find(name));
    }

    private Optional<DatasetRecord> dataset(String path) {
        return layout.datasetOf(path).flatMap(datasets::withId).or(() -> datasets.above(path));
    }
}
