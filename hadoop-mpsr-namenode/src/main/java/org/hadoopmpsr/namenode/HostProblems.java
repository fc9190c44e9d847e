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
package org.hadoopmpsr.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;
import org.hadoopmpsr.core.config.ConfigProblem;

/** What this NameNode lacks for MPSR at the moment, whatever the groups are. */
final class HostProblems implements Supplier<List<ConfigProblem>> {
    private final MpsrNamesystem system;

    HostProblems(MpsrNamesystem system) {
        this.system = system;
    }

    @Override
    public List<ConfigProblem> get() {
        List<ConfigProblem> problems = new ArrayList<>();
        Object policy = system.blocks().getBlockPlacementPolicy();
        if (!(policy instanceof MpsrBlockPlacementPolicy)) {
            problems.add(new ConfigProblem(
                    DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
                    policy.getClass().getName(),
                    "this policy does not keep representations on their nodes",
                    "set it to " + MpsrBlockPlacementPolicy.class.getName() + " and make it effective with hdfs"
                            + " dfsadmin -reconfig namenode HOST:PORT start, or restart the NameNode; MPSR then copies"
                            + " back what lies outside its group"));
        }
        if (!system.xattrsEnabled()) {
            problems.add(new ConfigProblem(
                    DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY,
                    "false",
                    "definitions and statistics are kept as extended attributes",
                    "set it to true"));
        }
        return problems;
    }
}
