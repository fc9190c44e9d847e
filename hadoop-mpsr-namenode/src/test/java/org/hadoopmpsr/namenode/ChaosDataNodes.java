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
import java.util.Set;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hadoopmpsr.testing.StoppableNodes;

/** The DataNodes: those that run, those that are stopped, and copies on them that should not be there. */
final class ChaosDataNodes {
    private final StoppableNodes nodes;
    private final List<Moved> moved = new ArrayList<>();

    private record Moved(ExtendedBlock block, String uuid) {}

    ChaosDataNodes(MiniDFSCluster mini) {
        nodes = new StoppableNodes(mini);
    }

    /** Those that are stopped. */
    Set<String> down() {
        return nodes.down();
    }

    void stop(String uuid) throws IOException {
        nodes.stop(uuid);
    }

    void start(String uuid) throws IOException {
        // another process may have a connection from the DataNode's port
        await().atMost(Chaos.LONG)
                .ignoreExceptionsInstanceOf(BindException.class)
                .untilAsserted(() -> nodes.start(uuid));
        awaitAll();
    }

    /** A block was moved to a node of another group. */
    void moved(ExtendedBlock block, String uuid) {
        moved.add(new Moved(block, uuid));
    }

    /** Waits until the last copies in other groups are deleted: a NameNode that starts does not know of them. */
    void awaitMovedDeleted() {
        await().atMost(Chaos.LONG).until(() -> {
            moved.removeIf(copy -> !down().contains(copy.uuid())
                    && !nodes.running(copy.uuid()).getFSDataset().contains(copy.block()));
            return moved.stream().allMatch(copy -> down().contains(copy.uuid()));
        });
    }

    /** Waits until all NameNodes see the DataNodes that run, and have left safe mode. */
    void awaitAll() {
        await().atMost(Chaos.LONG).until(nodes::areAllSeen);
    }
}
