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
package org.hadoopmpsr.namenode.guard;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The way back into the store for what an older MPSR, or a NameNode without MPSR, let be moved away: a superuser renames
 * it to a place in the store where nothing is.
 */
public final class StoreReturn {
    /** The maximum number of files and directories that are looked at; the read lock is held meanwhile. */
    private static final int MAX_INODES = 10_000;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;

    public StoreReturn(MpsrNamesystem system, Namespace namespace, StoreLayout layout, Datasets datasets) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
    }

    /** True if a rename from outside the store brings back what was there. Takes the read lock. */
    public boolean is(String from, String to) throws IOException {
        return layout.isOwn(to)
                && system.callingUser().isSuperuser()
                && system.read(() -> {
                    INode source = namespace.find(from);
                    return source != null && namespace.find(to) == null && isOfTheStore(source, to);
                });
    }

    private boolean isOfTheStore(INode source, String to) throws IOException {
        if (to.equals(layout.storeDir())) {
            String datasets = layout.datasetsDir().substring(layout.storeDir().length());
            return namespace.find(source.getFullPathName() + datasets) != null;
        }
        if (Attributes.get(source, Attributes.HOME) != null) {
            return PathNames.parent(to).equals(layout.datasetsDir());
        }
        boolean nodes = PathNames.isAtOrBelow(to, layout.nodesDir());
        return (nodes || layout.datasetOf(to).isPresent()) && holdsOnly(source, to, nodes);
    }

    /** A file or directory, and where it is to be. */
    private record Returning(INode inode, String to) {}

    /** True if a tree has no file, or published files alone, each on the way to its place. */
    private boolean holdsOnly(INode source, String target, boolean directories) {
        Deque<Returning> open = new ArrayDeque<>();
        open.add(new Returning(source, target));
        for (int seen = 0; !open.isEmpty(); seen++) {
            Returning next = open.remove();
            INode inode = next.inode();
            boolean wrong = inode.isFile() && (directories || !isItsPlace(inode.asFile(), next.to()));
            if (wrong || inode.isSymlink() || seen == MAX_INODES) {
                return false;
            }
            Namespace.children(inode)
                    .forEach(child -> open.add(new Returning(child, next.to() + "/" + child.getLocalName())));
        }
        return true;
    }

    /** True if a file was published in this place. */
    private boolean isItsPlace(INodeFile file, String path) {
        DatasetRecord dataset = layout.datasetOf(path).flatMap(datasets::withId).orElse(null);
        ReplicaGroup group = dataset == null
                ? null
                : layout.groupOf(path)
                        .flatMap(name -> dataset.groups().find(name))
                        .orElse(null);
        byte[] statistics = Attributes.get(file, Attributes.FILE);
        if (dataset == null || group == null || statistics == null) {
            return false;
        }
        String directory = PathNames.parent(path);
        try {
            List<@Nullable Object> partition = new StatisticsCodec(dataset.schema())
                    .file(directory, PathNames.name(path), file.getId(), statistics)
                    .statistics()
                    .partition();
            String root = dataset.root(layout, group.name());
            return partition.size() == group.predicates().size()
                    && directory.equals(
                            root + "/" + PartitionPath.of(group.partitionFields(dataset.schema()), partition));
        } catch (IllegalArgumentException | ClassCastException e) {
            return false;
        }
    }
}
