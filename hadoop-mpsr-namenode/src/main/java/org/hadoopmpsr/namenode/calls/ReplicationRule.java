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
import java.util.Collections;
import java.util.Optional;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/**
 * Who decides how many copies a file has: in datasets the replica group. A file of an ordinary writer holds the only copies of its
 * records until they are in all groups, so it has as many as its writer asks for.
 */
public final class ReplicationRule {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Allocation allocation;
    private final Placement placement;

    public ReplicationRule(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            Allocation allocation,
            Placement placement) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.config = config;
        this.allocation = allocation;
        this.placement = placement;
    }

    /**
     * The copies that a new file gets. A file of a commit gets those of its group; one of an ordinary writer not fewer than these, and
     * not so many that each of the group's nodes would have one: none of them could be decommissioned.
     */
    int ofNew(String path, String group, int asked) {
        int ofGroup = of(group).orElse(asked);
        return asked <= ofGroup || layout.concerns(path)
                ? ofGroup
                : Math.max(ofGroup, Math.min(asked, nodes(group) - 1));
    }

    private int nodes(String group) {
        return Collections.frequency(allocation.recorded().values(), group);
    }

    /** The copies that a group's files have; empty for a group that is not configured. */
    private Optional<Integer> of(String group) {
        return config.groups().flatMap(g -> g.find(group)).map(ReplicaGroup::replication);
    }

    /**
     * Decides about a file that is to get another number of copies. A published file is refused with the reason: a caller
     * that was told of success would wait for the copies. A file of an ordinary writer may get more than its group's. For another file
     * of a dataset the answer is that nothing was done, which is no error: programs that copy files with their replication go on.
     *
     * @return true if HDFS is to carry it out
     * @throws IOException if the file is published and its group has another number
     */
    boolean passes(String path, int asked) throws IOException {
        Optional<String> group = placement.groupOf(path);
        if (group.isEmpty() || of(group.get()).equals(Optional.of(asked))) {
            return true;
        }
        INode inode = system.read(() -> namespace.find(path));
        if (inode == null || !inode.isFile()) {
            return true; // HDFS has its own answer
        }
        if (!system.read(() -> StoredStatistics.isPublished(inode.asFile()))) {
            if (ofNew(path, group.get(), asked) == asked) {
                return true;
            }
            system.checkAccess("setReplication", path, FsAction.WRITE);
            return false;
        }
        system.callingUser().checkTraverse("setReplication", path);
        throw new IOException("cannot set the replication of " + path + " to " + asked
                + ": it is in a dataset, whose replica group decides it ("
                + ConfigKeys.REPLICATION.of(group.get())
                + of(group.get()).map(n -> " = " + n).orElse("") + ")");
    }
}
