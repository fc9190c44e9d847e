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
package org.hadoopmpsr.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.junit.jupiter.api.Test;

class GroupsCommandTest {
    private static NodeProto node(String uuid, String host, boolean alive) {
        return NodeProto.newBuilder()
                .setUuid(uuid)
                .setHost(host)
                .setRack(host.isEmpty() ? "" : "/r1")
                .setGroup("time")
                .setAlive(alive)
                .build();
    }

    @Test
    void deadNodesAreNamed() {
        StatusResponseProto status = StatusResponseProto.newBuilder()
                .setState("ready")
                .setStoreDir("/.mpsr")
                .setDatasets(0)
                .setVersion("1")
                .addGroup(GroupStatusProto.newBuilder()
                        .setGroup(GroupProto.newBuilder()
                                .setName("time")
                                .setReplication(1)
                                .setCodec("none"))
                        .setFiles(0)
                        .setRecords(0)
                        .setBytes(0))
                .addNode(node("u3", "dn3", true).toBuilder().setDrainingTo("signal"))
                .addNode(node("u2", "dn2", false))
                .addNode(node("u9", "", false))
                .build();
        StringWriter text = new StringWriter();
        GroupsCommand.print(new Output(new PrintWriter(text, true)), status);
        assertThat(text.toString()).contains("u9 (dead), dn2 (/r1, dead), dn3 (/r1, leaves for signal)");
        assertThat(Json.text(GroupsCommand.json(status)))
                .contains(
                        "{\"uuid\": \"u9\", \"host\": \"\", \"rack\": \"\", \"alive\": false}",
                        "{\"uuid\": \"u2\", \"host\": \"dn2\", \"rack\": \"/r1\", \"alive\": false}",
                        "\"alive\": true, \"drainingTo\": \"signal\"");
    }
}
