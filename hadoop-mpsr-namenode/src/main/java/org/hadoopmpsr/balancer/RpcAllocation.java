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
package org.hadoopmpsr.balancer;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.hadoopmpsr.blockmanager.AllocationSource;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;

/**
 * Fetches the allocation for the Balancer and the Mover, from the NameNodes that these work for. In a federation a
 * DataNode has a group in each namespace. Two nodes count as one group only if they share a group in every namespace.
 */
public final class RpcAllocation implements AllocationSource {

    @Override
    public Map<String, String> fetch(Configuration conf) throws IOException {
        Collection<URI> namespaces = DFSUtil.getInternalNsRpcUris(conf);
        Map<String, String> groups = new HashMap<>();
        for (URI namespace : namespaces) {
            try (MpsrClient client = MpsrClient.create(conf, namespace)) {
                for (NodeProto node : client.statusForMover().getNodeList()) {
                    if (node.hasGroup()) {
                        String group = namespaces.size() == 1 ? group(node) : namespace + "=" + group(node);
                        groups.merge(node.getUuid(), group, (one, other) -> one + "," + other);
                    }
                }
            }
        }
        return groups;
    }

    /** A node that leaves its group counts as the only node of a group of its own: nothing moves to it. */
    private static String group(NodeProto node) {
        return node.hasDrainingTo() ? node.getGroup() + ">" + node.getDrainingTo() : node.getGroup();
    }
}
