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
package org.hadoopmpsr.testing;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** The DataNodes of a mini cluster, those that run and those that are stopped, by their UUIDs. For one thread. */
public final class StoppableNodes {
    private final MiniDFSCluster mini;
    private final Map<String, DataNodeProperties> down = new TreeMap<>();

    public StoppableNodes(MiniDFSCluster mini) {
        this.mini = mini;
    }

    /** Those that are stopped. */
    public Set<String> down() {
        return down.keySet();
    }

    /** Stops a node that runs. Every NameNode takes it for dead when this returns. */
    public void stop(String uuid) throws IOException {
        DataNode node = running(uuid);
        String address = node.getDatanodeId().getXferAddr();
        down.put(uuid, mini.stopDataNode(mini.getDataNodes().indexOf(node)));
        for (int i = 0; i < mini.getNumNameNodes(); i++) {
            BlockManagerTestUtil.noticeDeadDatanode(mini.getNameNode(i), address);
        }
    }

    /**
     * Starts a node that is stopped, with its files. {@link #areAllSeen} tells when the NameNodes know it.
     *
     * @throws java.net.BindException if another process uses its port now; the node is stopped still
     */
    public void start(String uuid) throws IOException {
        mini.restartDataNode(down.get(uuid), true);
        down.remove(uuid);
    }

    /**
     * A node that runs.
     *
     * @throws java.util.NoSuchElementException if it does not run
     */
    public DataNode running(String uuid) {
        return mini.getDataNodes().stream()
                .filter(n -> n.getDatanodeUuid().equals(uuid))
                .findFirst()
                .orElseThrow();
    }

    /** True if every NameNode sees the DataNodes that run and no others, and has left safe mode. Asks for heartbeats. */
    public boolean areAllSeen() throws IOException {
        mini.triggerHeartbeats();
        boolean all = true;
        for (int i = 0; i < mini.getNumNameNodes(); i++) {
            all &= mini.getNamesystem(i).getNumLiveDataNodes()
                            == mini.getDataNodes().size()
                    && !mini.getNamesystem(i).isInSafeMode();
        }
        return all;
    }
}
