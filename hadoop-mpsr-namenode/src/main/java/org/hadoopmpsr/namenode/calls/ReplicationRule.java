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
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.namenode.nodes.Placement;

/** Who decides how many copies a file has: in datasets the replica group. */
public final class ReplicationRule {
    private final MpsrNamesystem system;
    private final MpsrConfig config;
    private final Placement placement;

    public ReplicationRule(MpsrNamesystem system, MpsrConfig config, Placement placement) {
        this.system = system;
        this.config = config;
        this.placement = placement;
    }

    /** The copies that a group's files have; empty for a group that is not configured. */
    Optional<Integer> of(String group) {
        return config.groups().flatMap(g -> g.find(group)).map(ReplicaGroup::replication);
    }

    /**
     * Checks that a file may get a number of copies.
     *
     * @throws IOException when its group has another one: a caller that was told of success would wait for the copies
     */
    void check(String path, int asked) throws IOException {
        Optional<String> group = placement.groupOf(path);
        if (group.isPresent() && !of(group.get()).equals(Optional.of(asked))) {
            system.callingUser().checkTraverse("setReplication", path);
            throw new IOException("cannot set the replication of " + path + " to " + asked
                    + ": it is in a dataset, whose replica group decides it ("
                    + ConfigKeys.REPLICATION.of(group.get())
                    + of(group.get()).map(n -> " = " + n).orElse("") + ")");
        }
    }
}
