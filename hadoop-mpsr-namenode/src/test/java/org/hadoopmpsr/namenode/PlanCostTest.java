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
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a reader says of itself counts in what groups cost it. */
class PlanCostTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.replica.group.device.replication", 2);
        cluster = TestCluster.start(conf, 6, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset published(String name) throws Exception {
        return TestCommit.published(client, cluster.fs(), "/" + name + "/meas");
    }

    @Test
    void aReaderSaysHowManyTasksItRuns() throws Exception {
        Dataset dataset = published("parallel");
        new TestCommit(dataset, 10, 20).stage(client, cluster.fs()).publish(client);
        ReadRequest alone = new ReadRequest(Filter.ALL, Set.of("value"));
        double costMs =
                costMs(client.plan(dataset.path(), alone, "time", List.of()).orElseThrow());
        ReadRequest many = new ReadRequest(Filter.ALL, Set.of("value"), 16, Set.of());
        assertThat(costMs(client.plan(dataset.path(), many, "time", List.of()).orElseThrow()))
                .isLessThan(costMs);
    }

    @Test
    void aReaderSaysWhereItRuns() throws Exception {
        Dataset dataset = published("near");
        Map<String, List<String>> hosts = cluster.status().getNodeList().stream()
                .collect(Collectors.groupingBy(
                        NodeProto::getGroup, Collectors.mapping(NodeProto::getHost, Collectors.toList())));
        assertThat(hosts).hasSize(3).allSatisfy((group, two) -> assertThat(two).hasSize(2));
        double anywhereMs = costMs(planOn(dataset, Set.of(), "signal"));

        assertThat(costMs(planOn(dataset, Set.copyOf(hosts.get("signal")), "signal")))
                .isEqualTo(anywhereMs);
        double halfMs = costMs(planOn(dataset, Set.of(hosts.get("signal").get(0)), "signal"));
        double nothingMs = costMs(planOn(dataset, Set.copyOf(hosts.get("time")), "signal"));
        assertThat(halfMs).isGreaterThan(anywhereMs);
        assertThat(nothingMs - anywhereMs).isCloseTo(2 * (halfMs - anywhereMs), within(1e-6));
        // a copy on each of its nodes
        ReadPlan one = planOn(dataset, Set.of(hosts.get("device").get(1)), "device");
        assertThat(costMs(one)).isEqualTo(costMs(planOn(dataset, Set.of(), "device")));

        for (String group : hosts.keySet()) {
            ReadPlan near = planOn(dataset, Set.copyOf(hosts.get(group)), null);
            assertThat(near.group()).as(near.candidates().toString()).isEqualTo(group);
        }
        assertThat(planOn(dataset, Set.of("elsewhere.test"), null).reason())
                .endsWith(", with 0 % of its blocks on the reader's hosts");
    }

    private static ReadPlan planOn(Dataset dataset, Set<String> hosts, @Nullable String group) throws Exception {
        ReadRequest readRequest = new ReadRequest(Filter.ALL, Set.of("value"), 0, hosts);
        return client.plan(dataset.path(), readRequest, group, List.of()).orElseThrow();
    }

    private static double costMs(ReadPlan plan) {
        return plan.candidates().stream()
                .filter(c -> c.group().equals(plan.group()))
                .mapToDouble(Candidate::costMs)
                .sum();
    }
}
