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
package org.hadoopmpsr.hadooptests;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;
import org.hadoopmpsr.blockmanager.PlacementViews;

/** Started after MPSR's plugin: counts the NameNodes in which that runs. */
public final class Witness implements ServicePlugin {

    @Override
    public void start(Object service) {
        BlockManager blocks = ((NameNode) service).getNamesystem().getBlockManager();
        if (PlacementViews.of(blocks.getDatanodeManager().getNetworkTopology()).isPresent()) {
            Counts.NAME_NODES.incrementAndGet();
        }
    }

    @Override
    public void stop() {}

    @Override
    public void close() {}
}
