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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.guard.StoreReturn;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * Decides which renames are allowed. A rename moves no block. A file may therefore be renamed into a representation
 * only if its blocks lie in the group already. Datasets do not nest. Nothing may be renamed into the store or out of it,
 * but what was there before, and a writer's files within the staging directory of a commit. HDFS decides everything
 * else.
 */
public final class RenameRules {
    /** The maximum number of files and directories that are checked in one rename. */
    private static final int MAX_INODES = 10_000;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Readiness readiness;
    private final Allocation allocation;
    private final Datasets datasets;
    private final Placement placement;
    private final StoreReturn storeReturn;
    private final Counters counters;

    public RenameRules(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            Readiness readiness,
            Allocation allocation,
            Datasets datasets,
            Placement placement,
            Counters counters) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.config = config;
        this.readiness = readiness;
        this.allocation = allocation;
        this.datasets = datasets;
        this.placement = placement;
        this.storeReturn = new StoreReturn(system, namespace, layout, datasets);
        this.counters = counters;
    }

    /**
     * Checks a rename.
     *
     * @param intoDirectory true if a target that is a directory takes the source into it
     * @throws IOException with the reason if the rename is not allowed
     */
    void check(String source, String target, boolean intoDirectory) throws IOException {
        String from = PathNames.trimmed(system.resolve(source, 0));
        String named = PathNames.trimmed(system.resolve(target, 0));
        if (isFine(from, named) && (!intoDirectory || isFine(from, below(named, from)))) {
            return;
        }
        String to = into(from, named, intoDirectory);
        String reason = reason(from, to);
        if (reason != null) {
            checkMayKnow(from, to);
            counters.increment(Counter.REFUSED_RENAMES);
            throw new IOException("cannot rename " + from + " to " + to + ": " + reason);
        }
    }

    /** A caller who may not see these paths learns nothing about them here. */
    private void checkMayKnow(String from, String to) throws IOException {
        try {
            system.callingUser().checkTraverse("rename", from);
            system.callingUser().checkTraverse("rename", to);
        } catch (AccessControlException e) {
            system.callingUser().audit(false, "rename", from, to);
            throw e;
        }
    }

    /**
     * True if the paths alone show that the rename is allowed. This holds for most renames, which then wait for no
     * lock.
     */
    private boolean isFine(String from, String to) {
        String store = layout.storeDir();
        if (layout.concerns(from) || PathNames.isAtOrBelow(to, store)) {
            return false;
        }
        if (hides(from, to)) {
            return false;
        }
        if (datasets.all().isEmpty()) {
            return true;
        }
        Optional<String> group = placement.groupOf(to);
        return group.isEmpty() || !datasets.anyAtOrBelow(from) && group.equals(placement.groupOf(from));
    }

    /** True if a dataset's path would become one that cannot be seen as it is. */
    private boolean hides(String from, String to) {
        return !PrintableText.isPlain(to) && PrintableText.isPlain(from) && datasets.anyAtOrBelow(from);
    }

    private String into(String from, String to, boolean intoDirectory) throws IOException {
        boolean directory = intoDirectory
                && system.read(() -> {
                    INode inode = namespace.find(to);
                    return inode != null && inode.isDirectory();
                });
        return directory ? below(to, from) : to;
    }

    private static String below(String directory, String path) {
        return directory + "/" + PathNames.name(path);
    }

    private @Nullable String reason(String from, String to) throws IOException {
        String store = layout.storeDir();
        Optional<String> staged = layout.stagingDirAbove(from);
        if (layout.concerns(from) && system.read(() -> namespace.find(store)) == null) {
            return null; // there is no store yet
        }
        if (layout.concerns(from) && (staged.isEmpty() || !staged.equals(layout.stagingDirAbove(to)))) {
            return "Permission denied: it holds the records of MPSR; leave " + store
                    + " where it is, with all that is in it";
        }
        if (PathNames.isAtOrBelow(to, store) && staged.isEmpty()) {
            return storeReturn.is(from, to)
                    ? null
                    : store + " is MPSR's own; files get there by commits only, and a superuser brings back what was"
                            + " moved away from there";
        }
        Optional<String> group = placement.groupOf(to);
        if (hides(from, to)) {
            return "the path of a dataset must not hold control characters or others that cannot be seen";
        }
        if (group.isEmpty() || isDatasetItself(from, to)) {
            return null;
        }
        if (datasets.anyAtOrBelow(from)) {
            return "a dataset cannot lie within another one; name a target outside datasets";
        }
        return group.equals(placement.groupOf(from)) ? null : foreign(from, group.get());
    }

    private boolean isDatasetItself(String from, String to) {
        return datasets.at(from).isPresent() && PathNames.isAtOrBelow(to, from); // HDFS has its own answer
    }

    private @Nullable String foreign(String from, String name) throws IOException {
        ReplicaGroup group =
                config.groups().flatMap(groups -> groups.find(name)).orElse(null);
        if (group == null || !readiness.isReady()) {
            return readiness.status().message();
        }
        AtomicReference<@Nullable String> first = new AtomicReference<>();
        int[] seen = new int[1];
        namespace.walkAll(from, inode -> {
            String problem = inode.isFile() ? problem(inode.asFile(), group) : null;
            first.set(
                    problem == null && seen[0]++ == MAX_INODES
                            ? from + " holds more than " + MAX_INODES + " files"
                            : problem);
            return first.get() == null;
        });
        String found = first.get();
        return found == null
                ? null
                : "the target belongs to replica group '" + name + "', but " + found
                        + "; copy it instead (hdfs dfs -cp), so that its blocks are written to the group's nodes";
    }

    private @Nullable String problem(INodeFile file, ReplicaGroup group) {
        String path = file.getFullPathName();
        if (file.isUnderConstruction()) {
            return path + " is being written";
        }
        if (file.isStriped()) {
            return path + " is erasure-coded";
        }
        if (file.getFileReplication() != group.replication()) {
            return path + " has " + file.getFileReplication() + " copies of each block and not " + group.replication();
        }
        for (BlockInfo block : file.getBlocks()) {
            for (DatanodeDescriptor node : ReadableReplicas.of(system.blocks(), block)) {
                if (!group.name().equals(allocation.recorded().get(node.getDatanodeUuid()))) {
                    return path + " has a block on " + node.getHostName() + ", which is not of that group";
                }
            }
        }
        return null;
    }
}
