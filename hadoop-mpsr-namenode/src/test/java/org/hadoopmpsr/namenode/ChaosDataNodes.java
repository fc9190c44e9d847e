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

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** The DataNodes: those that run, those that are stopped, and copies on them that should not be there. */
final class ChaosDataNodes {
    private final MiniDFSCluster mini;
    private final Map<String, DataNodeProperties> down = new TreeMap<>();
    private final List<Moved> moved = new ArrayList<>();

    private record Moved(ExtendedBlock block, String uuid) {}

    ChaosDataNodes(MiniDFSCluster mini) {
        this.mini = mini;
    }

    /** Those that are stopped. */
    Set<String> down() {
        return down.keySet();
    }

    void stop(String uuid) throws IOException {
        DataNode node = running(uuid);
        String address = node.getDatanodeId().getXferAddr();
        down.put(uuid, mini.stopDataNode(mini.getDataNodes().indexOf(node)));
        for (int i = 0; i < mini.getNumNameNodes(); i++) {
            BlockManagerTestUtil.noticeDeadDatanode(mini.getNameNode(i), address);
        }
    }

    void start(String uuid) throws IOException {
        DataNodeProperties stopped = down.remove(uuid);
        // another process may have a connection from the DataNode's port
        await().atMost(Chaos.LONG)
                .ignoreExceptionsInstanceOf(BindException.class)
                .until(() -> mini.restartDataNode(stopped, true));
        awaitAll();
    }

    /** A block was moved to a node of another group. */
    void moved(ExtendedBlock block, String uuid) {
        moved.add(new Moved(block, uuid));
    }

    /** Waits until the last copies in other groups are deleted: a NameNode that starts does not know of them. */
    void awaitMovedDeleted() {
        await().atMost(Chaos.LONG).until(() -> {
            moved.removeIf(copy -> !down.containsKey(copy.uuid())
                    && !running(copy.uuid()).getFSDataset().contains(copy.block()));
            return moved.stream().allMatch(copy -> down.containsKey(copy.uuid()));
        });
    }

    private DataNode running(String uuid) {
        return mini.getDataNodes().stream()
                .filter(n -> n.getDatanodeUuid().equals(uuid))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until all NameNodes see the DataNodes that run, and have left safe mode. */
    void awaitAll() {
        await().atMost(Chaos.LONG).until(() -> {
            mini.triggerHeartbeats();
            boolean all = true;
            for (int i = 0; i < mini.getNumNameNodes(); i++) {
                all &= mini.getNamesystem(i).getNumLiveDataNodes()
                                == mini.getDataNodes().size()
                        && !mini.getNamesystem(i).isInSafeMode();
            }
            return all;
        });
    }
}
