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
package org.apache.hadoop.hdfs.server.namenode;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/** A NameNode's safe mode. Thread-safe. */
public final class SafeModeState {
    private static final Pattern AWAITED_BLOCKS = Pattern.compile("needs additional (\\d+) blocks");

    private final NameNode nameNode;
    private final FSNamesystem namesystem;

    SafeModeState(NameNode nameNode) {
        this.nameNode = nameNode;
        this.namesystem = nameNode.getNamesystem();
    }

    public boolean isOn() {
        return namesystem.isInSafeMode();
    }

    /** True in the safe mode of a start, false in safe mode that an administrator entered. */
    public boolean isOfStart() {
        return namesystem.isInStartupSafeMode();
    }

    /**
     * The number of further blocks that must be reported for safe mode to end; 0 if it also waits for something else.
     */
    public long blocksAwaited() {
        int nodes = nameNode.getConf()
                .getInt(
                        DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_KEY,
                        DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_DEFAULT);
        // HDFS keeps the number to itself, but tells it to people
        Matcher blocks = AWAITED_BLOCKS.matcher(namesystem.getSafeModeTip());
        boolean enough = namesystem.getBlockManager().getDatanodeManager().getNumLiveDataNodes() >= nodes;
        return enough && blocks.find() ? Long.parseLong(blocks.group(1)) : 0;
    }

    /** Ends safe mode as HDFS would. HDFS refuses this if blocks are newer than the namespace. */
    public void leave() {
        namesystem.leaveSafeMode(false);
    }
}
