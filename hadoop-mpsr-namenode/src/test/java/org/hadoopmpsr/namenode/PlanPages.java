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
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.wire.ReadRequestWire;
import org.hadoopmpsr.core.plan.ReadRequest;

/** Asks over RPC for the pages of a plan, three files each. The first page is asked for at once. */
final class PlanPages implements AutoCloseable {
    private final MpsrProtocolPB nameNode;
    private final PlanRequestProto request;
    private final Map<Integer, List<String>> files = new TreeMap<>();
    private final PlanResponseProto first;
    private PlanResponseProto last;

    PlanPages(TestCluster cluster, Dataset dataset, String group, ReadRequest readRequest) throws Exception {
        Configuration conf = new Configuration(cluster.conf());
        conf.setInt("ipc.client.connection.maxidletime", 0); // none is left when the NameNode is restarted
        RPC.setProtocolEngine(conf, MpsrProtocolPB.class, ProtobufRpcEngine2.class);
        nameNode = RPC.getProxy(
                MpsrProtocolPB.class,
                RPC.getProtocolVersion(MpsrProtocolPB.class),
                cluster.mini().getNameNode().getNameNodeAddress(),
                conf);
        request = ReadRequestWire.request(readRequest)
                .setPath(dataset.path())
                .setGroup(group)
                .setPageFiles(3)
                .build();
        first = plan(request);
        add(first);
    }

    private void add(PlanResponseProto page) {
        last = page;
        page.getFileList()
                .forEach(f -> files.computeIfAbsent(f.getPart(), part -> new ArrayList<>())
                        .add(f.getPath()));
    }

    /** What is answered to some request. */
    PlanResponseProto plan(PlanRequestProto some) throws Exception {
        return nameNode.plan(null, some);
    }

    /** The request for the page after the last one. */
    PlanRequestProto.Builder nextRequest() {
        PlanRequestProto.Builder next =
                request.toBuilder().setFrom(last.getNext()).setGeneration(first.getGeneration());
        return first.hasUnion() ? next.setUnion(first.getUnion()).setPart(last.getNextPart()) : next;
    }

    PlanResponseProto next() throws Exception {
        add(plan(nextRequest().build()));
        return last;
    }

    /** Asks for all further pages. */
    void rest() throws Exception {
        while (last.hasNext()) {
            next();
        }
    }

    PlanRequestProto request() {
        return request;
    }

    PlanResponseProto last() {
        return last;
    }

    /** The paths of the files so far, of all parts. */
    List<String> files() {
        return files.values().stream().flatMap(List::stream).toList();
    }

    /** The paths of the files so far of one part. */
    List<String> files(int part) {
        return files.getOrDefault(part, List.of());
    }

    @Override
    public void close() {
        RPC.stopProxy(nameNode);
    }
}
