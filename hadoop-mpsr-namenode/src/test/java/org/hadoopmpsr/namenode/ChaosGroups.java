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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;

/** The groups of the DataNodes, as they should be. */
final class ChaosGroups {
    private static final List<String> NAMES = List.of("time", "signal", "device");

    private final HaCluster cluster;
    private final MpsrClient client;
    private final DistributedFileSystem fs;
    private final Map<String, String> groups = new LinkedHashMap<>();

    ChaosGroups(HaCluster cluster, MpsrClient client, DistributedFileSystem fs) {
        this.cluster = cluster;
        this.client = client;
        this.fs = fs;
    }

    /** The group by DataNode, in the order of the hosts' names. */
    Map<String, String> all() {
        return groups;
    }

    List<String> nodesOf(String group) {
        return groups.entrySet().stream()
                .filter(e -> e.getValue().equals(group))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** How many nodes each has. */
    Map<String, Integer> sizes() {
        Map<String, Integer> sizes = new TreeMap<>();
        groups.values().forEach(group -> sizes.merge(group, 1, Integer::sum));
        return sizes;
    }

    /** Keeps the groups of the nodes as they are now. */
    void learn() throws IOException {
        groups.clear();
        client.status().getNodeList().stream()
                .sorted(Comparator.comparing(NodeProto::getHost))
                .forEach(node -> groups.put(node.getUuid(), node.getGroup()));
    }

    /** Records other groups for the nodes, each with enough for its copies, and makes NameNode 0 the active one. */
    void choose(Random random) throws IOException {
        List<String> chosen = new ArrayList<>(List.of("time", "time", "signal", "device"));
        List<DataNode> nodes = new ArrayList<>(cluster.mini().getDataNodes());
        while (chosen.size() < nodes.size()) {
            chosen.add(NAMES.get(random.nextInt(NAMES.size())));
        }
        DistributedFileSystem past = cluster.pastMpsr();
        Collections.shuffle(chosen, random);
        nodes.sort(Comparator.comparing(node -> node.getDatanodeId().getHostName()));
        for (int i = 0; i < nodes.size(); i++) {
            String uuid = nodes.get(i).getDatanodeUuid();
            for (String group : NAMES) {
                past.delete(new Path("/.mpsr/nodes/" + group + "/" + uuid), true);
            }
            past.mkdirs(new Path("/.mpsr/nodes/" + chosen.get(i) + "/" + uuid));
        }
        do {
            cluster.failOver(); // who becomes active reads the records
        } while (cluster.active() != 0);
        learn();
    }
}
