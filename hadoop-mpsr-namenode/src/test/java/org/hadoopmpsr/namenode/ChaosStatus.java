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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;

/** Compares what the NameNode says of its state, asked once, with what it should say. */
final class ChaosStatus {
    private final Chaos chaos;
    private final StatusResponseProto status;

    ChaosStatus(Chaos chaos) throws IOException {
        this.chaos = chaos;
        status = chaos.client().status();
    }

    /** Ready, with every node in its group. */
    void isReady() {
        assertThat(status.getState()).isEqualTo("ready");
        Map<String, String> groups = new TreeMap<>();
        for (NodeProto node : status.getNodeList()) {
            groups.put(node.getUuid(), node.getGroup());
        }
        assertThat(groups).as("allocation").isEqualTo(chaos.groups().all());
    }

    /** Each trouble is named, and nothing else. */
    void warnsOf(Set<String> troubled) {
        Set<String> named = new TreeSet<>();
        Set<String> orphans = new TreeSet<>();
        for (String warning : status.getWarningList()) {
            boolean ofDown = chaos.dataNodes().down().stream().anyMatch(warning::contains);
            if (warning.contains(" belongs to no dataset directory")) {
                orphans.add(warning.substring(0, warning.indexOf(' ')));
            } else if (!(ofDown && warning.contains("is unknown to HDFS"))) {
                named.add(warning.substring(0, Math.max(warning.indexOf(": "), 0)));
            }
        }
        assertThat(orphans).isEqualTo(chaos.orphans());
        assertThat(named).as("warnings %s", status.getWarningList()).isEqualTo(troubled);
    }

    void hasNoErrors() {
        long counted = status.getCounterList().stream()
                .filter(c -> c.getName().equals("Errors"))
                .findFirst()
                .orElseThrow()
                .getValue();
        assertThat(counted).as("unexpected errors").isZero();
    }
}
