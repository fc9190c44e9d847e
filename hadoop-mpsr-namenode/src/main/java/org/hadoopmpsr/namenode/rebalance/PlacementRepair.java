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
package org.hadoopmpsr.namenode.rebalance;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.alloc.Throttle;
import org.hadoopmpsr.namenode.copies.MovedCopies;
import org.hadoopmpsr.namenode.copies.MovedCopies.Origin;
import org.hadoopmpsr.namenode.health.FileHealth;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.jspecify.annotations.Nullable;

/**
 * Puts right how published files lie in HDFS, as after a time without MPSR or under another placement policy: gives files
 * their group's number of copies, and has blocks copied to their group's nodes where they lie outside. {@link MovedCopies}
 * deletes the copies outside once there are enough inside. {@link #found} and {@link #advance} are for one thread each.
 */
public final class PlacementRepair {
    /** Blocks that may be copied at a time. */
    private static final int TRANSFERS = 20;

    private final MpsrNamesystem system;
    private final Readiness readiness;
    private final Allocation allocation;
    private final BlockGroups groups;
    private final MovedCopies movedCopies;
    private final Counters counters;
    private final Set<Place> places = ConcurrentHashMap.newKeySet();
    private @Nullable NodeDrain drain;

    public PlacementRepair(
            MpsrNamesystem system,
            Readiness readiness,
            Allocation allocation,
            BlockGroups groups,
            MovedCopies movedCopies,
            Counters counters) {
        this.system = system;
        this.readiness = readiness;
        this.allocation = allocation;
        this.groups = groups;
        this.movedCopies = movedCopies;
        this.counters = counters;
    }

    /** A node with blocks of a group that it does not belong to. */
    private record Place(String node, String group) {}

    /** Takes up what health has found; no effect while MPSR is not ready or HDFS is in safe mode. */
    public void found(List<FileHealth.Look> wrong) throws IOException {
        if (!mayWork()) {
            return;
        }
        for (FileHealth.Look look : wrong) {
            look.misplaced().forEach(copy -> {
                movedCopies.remember(copy.block(), copy.node(), Origin.FOUND);
                places.add(new Place(copy.node(), look.group()));
            });
            setReplication(look); // last: of too many copies, HDFS then deletes those outside of the group first
        }
    }

    private boolean mayWork() {
        return readiness.isReady() && !system.safeMode().isOn() && allocation.isCurrent();
    }

    private void setReplication(FileHealth.Look look) throws IOException {
        LockSteps.write(system, "mpsrSetReplication", look.otherReplication(), (edits, ids) -> {
            for (long id : ids) {
                setReplication(edits, id, look);
            }
        });
    }

    private void setReplication(NamespaceEdits edits, long id, FileHealth.Look look) throws IOException {
        INode file = system.directory().getInode(id);
        if (file != null && file.isFile() && file.asFile().getFileReplication() != look.replication()) {
            String path = file.getFullPathName();
            if (groups.ofFile(path).equals(Optional.of(look.group()))) {
                edits.setReplication(path, look.replication());
            }
        }
    }

    /** Does what can be done now; costs next to nothing where all is right. Waits for a rebalance to end. */
    public void advance() throws IOException {
        if (drain == null && places.isEmpty() || !mayWork()) {
            return;
        }
        if (!allocation.moves().isEmpty()) {
            drain = null; // what is left is found again
            places.clear();
            return;
        }
        if (drain == null) {
            drain = next();
        }
        if (drain != null) {
            drain.advance();
            drain = drain.isDone() ? null : drain;
        }
    }

    private @Nullable NodeDrain next() throws IOException {
        Iterator<Place> all = places.iterator();
        while (all.hasNext()) {
            Place place = all.next();
            all.remove();
            DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(place.node());
            if (node != null && node.isAlive()) {
                Throttle unlimited = new Throttle(0, system.clock().monotonicNowNanos());
                return NodeDrain.of(system, groups, allocation, counters, node, place.group(), TRANSFERS, unlimited);
            }
        }
        return null;
    }
}
