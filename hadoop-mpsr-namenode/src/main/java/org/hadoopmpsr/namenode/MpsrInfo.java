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
import java.io.UncheckedIOException;
import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;

/** The status as a JMX bean; each attribute is of the moment that it is asked for. */
final class MpsrInfo implements MpsrInfoMXBean {
    private final Mpsr mpsr;

    MpsrInfo(Mpsr mpsr) {
        this.mpsr = mpsr;
    }

    private StatusResponseProto status() {
        try {
            return mpsr.status().get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String getState() {
        return mpsr.readiness().status().state().text();
    }

    @Override
    public List<String> getProblems() {
        return mpsr.readiness().status().problems().stream()
                .map(p -> p.message())
                .toList();
    }

    @Override
    public List<String> getWarnings() {
        return status().getWarningList();
    }

    @Override
    public List<Group> getGroups() {
        StatusResponseProto status = status();
        return status.getGroupList().stream()
                .<Group>map(g -> new GroupView(g, nodes(status, g.getGroup().getName())))
                .toList();
    }

    private static List<String> nodes(StatusResponseProto status, String group) {
        return status.getNodeList().stream()
                .filter(n -> n.getGroup().equals(group))
                .map(n -> n.getHost().isEmpty() ? n.getUuid() : n.getHost())
                .sorted()
                .toList();
    }

    @Override
    public List<String> getDatasets() {
        return mpsr.datasets().byPath().keySet().stream().sorted().toList();
    }

    @Override
    public String getVersion() {
        return status().getVersion();
    }

    private record GroupView(GroupStatusProto group, List<String> nodes) implements Group {
        @Override
        public String getName() {
            return group.getGroup().getName();
        }

        @Override
        public List<String> getPredicates() {
            return group.getGroup().getPredicateList();
        }

        @Override
        public int getReplication() {
            return group.getGroup().getReplication();
        }

        @Override
        public List<String> getNodes() {
            return nodes;
        }

        @Override
        public long getFiles() {
            return group.getFiles();
        }

        @Override
        public long getRecords() {
            return group.getRecords();
        }

        @Override
        public long getBytes() {
            return group.getBytes();
        }

        @Override
        public long getDegradedFiles() {
            return group.getDegradedFiles();
        }
    }
}
