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

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.blockmanager.AllocationSource;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;

/** Asks the NameNode of the default file system for the allocation: for the Balancer and the Mover. */
public final class RpcAllocation implements AllocationSource {

    @Override
    public Map<String, String> fetch(Configuration conf) throws IOException {
        try (MpsrClient client = MpsrClient.create(conf, FileSystem.getDefaultUri(conf))) {
            Map<String, String> groups = new HashMap<>();
            for (NodeProto node : client.statusForMover().getNodeList()) {
                if (node.hasGroup()) {
                    // a node that is to leave its group is like one of a group of its own: nothing moves to it
                    groups.put(
                            node.getUuid(),
                            node.hasDrainingTo() ? node.getGroup() + ">" + node.getDrainingTo() : node.getGroup());
                }
            }
            return groups;
        }
    }
}
