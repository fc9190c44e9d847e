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
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.INode;
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
    /** The maximum number of files and directories that are looked at. */
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

    /** True if a rename from outside the store brings back what was there. Takes the read lock in short holds. */
    public boolean is(String from, String to) throws IOException {
        if (!layout.isOwn(to) || !system.callingUser().isSuperuser()) {
            return false;
        }
        Kind kind = system.read(() -> {
            INode source = namespace.find(from);
            return source != null && namespace.find(to) == null ? kind(source, to) : Kind.OTHER;
        });
        return kind == Kind.WHOLE || kind == Kind.PART && holdsOnly(from, to);
    }

    /** What is returned: the store, or all of a dataset in it; a part, whose files count; or nothing of it. */
    private enum Kind {
        WHOLE,
        PART,
        OTHER
    }

    private Kind kind(INode source, String to) throws IOException {
        boolean part = PathNames.isAtOrBelow(to, layout.nodesDir())
                || layout.datasetOf(to).isPresent();
        boolean whole;
        if (to.equals(layout.storeDir())) {
            String datasets = layout.datasetsDir().substring(layout.storeDir().length());
            whole = namespace.find(source.getFullPathName() + datasets) != null;
        } else if (Attributes.get(source, Attributes.HOME) != null) {
            whole = PathNames.parent(to).equals(layout.datasetsDir());
        } else {
            return part ? Kind.PART : Kind.OTHER;
        }
        return whole ? Kind.WHOLE : Kind.OTHER;
    }

    /** A file, and where it is to be. */
    private record Returning(long id, byte @Nullable [] statistics, String to) {}

    /** True if a tree has no file, or published files alone, each on the way to its place. */
    private boolean holdsOnly(String from, String to) throws IOException {
        boolean directories = PathNames.isAtOrBelow(to, layout.nodesDir());
        List<Returning> files = new ArrayList<>();
        int[] seen = new int[1];
        int[] above = new int[1];
        boolean[] wrong = new boolean[1];
        namespace.walkAll(from, inode -> {
            String path = inode.getFullPathName();
            above[0] = seen[0] == 0 ? path.length() : above[0]; // of the root, which comes first
            wrong[0] = seen[0]++ == MAX_INODES || inode.isSymlink() || inode.isFile() && directories;
            if (inode.isFile()) {
                files.add(new Returning(
                        inode.getId(), Attributes.get(inode, Attributes.FILE), to + path.substring(above[0])));
            }
            return !wrong[0];
        });
        return !wrong[0] && files.stream().allMatch(this::isItsPlace);
    }

    /** True if a file was published in this place. */
    private boolean isItsPlace(Returning file) {
        String path = file.to();
        DatasetRecord dataset = layout.datasetOf(path).flatMap(datasets::withId).orElse(null);
        ReplicaGroup group = dataset == null
                ? null
                : layout.representationOf(path)
                        .flatMap(name -> dataset.groups().find(name))
                        .orElse(null);
        byte[] statistics = file.statistics();
        if (dataset == null || group == null || statistics == null) {
            return false;
        }
        String directory = PathNames.parent(path);
        try {
            List<@Nullable Object> partition = new StatisticsCodec(dataset.schema())
                    .file(directory, PathNames.name(path), file.id(), statistics)
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
