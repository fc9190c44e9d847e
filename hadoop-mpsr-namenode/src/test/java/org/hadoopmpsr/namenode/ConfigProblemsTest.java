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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A cluster with a dataset, restarted with a configuration that cannot work: HDFS as ever, with MPSR off. */
class ConfigProblemsTest {
    private static final List<String> PROBLEMS = List.of(
            "dfs.mpsr.replica.group.time.predicates = 'week(timestamp_ns)': unknown predicate",
            "dfs.mpsr.replica.group.signal.predicates = 'signal, bucket(4, signal)': column 'signal' is named twice;"
                    + " name it in one predicate",
            "dfs.mpsr.replica.group.device.replication = 'many': not a whole number from 1; set it to 1 or leave it"
                    + " out",
            "dfs.mpsr.replica.groups = 'time,signal,device,more': 4 replica groups, but only 3 DataNodes; start more"
                    + " DataNodes or configure fewer groups");

    private static TestCluster cluster;
    private static MpsrClient client;
    private static Dataset dataset;
    private static TestCommit staged;
    private static String log;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        client = cluster.client();
        dataset = client.createDataset("/before/meas", TestCluster.SCHEMA);
        new TestCommit(dataset, 0, 10).stage(client, cluster.fs()).publish(client);
        staged = new TestCommit(dataset, 10, 20).stage(client, cluster.fs());

        Configuration wrong = cluster.mini().getConfiguration(0);
        wrong.set("dfs.mpsr.replica.groups", "time,signal,device,more");
        wrong.set("dfs.mpsr.replica.group.time.predicates", "week(timestamp_ns)");
        wrong.set("dfs.mpsr.replica.group.signal.predicates", "signal, bucket(4, signal)");
        wrong.set("dfs.mpsr.replica.group.device.replication", "many");
        wrong.set("dfs.mpsr.replica.group.more.predicates", "device");
        LogCapturer capturer = LogCapturer.captureLogs(LoggerFactory.getLogger(Readiness.class));
        cluster.restartNameNode();
        log = capturer.getOutput();
        capturer.stopCapturing();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static void assertSaysAll(String text) {
        assertThat(text).contains("MPSR is off: 4 problem(s)").contains(PROBLEMS);
    }

    @Test
    void theLogSaysSo() {
        assertSaysAll(log);
    }

    @Test
    void theStatusSaysSo() throws Exception {
        StatusResponseProto status = cluster.status();
        assertThat(status.getState()).isEqualTo("off");
        assertThat(status.getProblemList())
                .extracting(p -> p.getKey() + " = '" + p.getValue() + "': " + p.getCause() + "; " + p.getFix())
                .hasSize(4)
                .allSatisfy(message -> assertThat(PROBLEMS).anyMatch(message::startsWith));
    }

    @Test
    void theMetricSaysSo() throws Exception {
        ObjectName metrics = new ObjectName("Hadoop:service=NameNode,name=Mpsr");
        assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(metrics, "tag.State"))
                .isEqualTo("off");
        assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(metrics, "Problems"))
                .isEqualTo(4L);
    }

    @Test
    void whatWritesDatasetsIsRefusedWithTheProblems() {
        assertThatThrownBy(() -> client.createDataset("/after/meas", TestCluster.SCHEMA))
                .satisfies(e -> assertSaysAll(e.getMessage()));
        assertThatThrownBy(() ->
                        client.beginCommit(dataset.path(), dataset.id(), "c").require())
                .satisfies(e -> assertSaysAll(e.getMessage()));
        assertThatThrownBy(() -> staged.publish(client)).satisfies(e -> assertSaysAll(e.getMessage()));
        for (String group : dataset.groups().names()) {
            String root = group.equals("time")
                    ? dataset.path()
                    : "/.mpsr/datasets/" + dataset.id() + "/staging/" + staged.id() + "/" + group;
            assertThatThrownBy(() -> cluster.write(root + "/new", 10))
                    .hasMessageContaining("cannot write " + root + "/new in a dataset")
                    .satisfies(e -> assertSaysAll(e.getMessage()));
        }
    }

    @Test
    void readersReadTheDefaultRepresentation() throws Exception {
        assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path(new TestCommit(dataset, 0, 10).published("time"))))
                .hasSize(1_000);
        assertThat(client.plan(dataset.path(), Filter.ALL, null).orElseThrow()).satisfies(plan -> {
            assertThat(plan.stock()).isTrue();
            assertSaysAll(plan.reason());
        });
    }

    @Test
    void everythingElseWorks() throws Exception {
        Path file = new Path("/elsewhere/file");
        DFSTestUtil.createFile(cluster.fs(), file, 3 << 20, (short) 3, 1);
        DFSTestUtil.waitReplication(cluster.fs(), file, (short) 3);
        DFSTestUtil.appendFile(cluster.fs(), file, 100);
        assertThat(cluster.fs().rename(file, new Path("/elsewhere/renamed"))).isTrue();
        assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path("/elsewhere/renamed")))
                .hasSize((3 << 20) + 100);
        assertThat(cluster.fs().delete(new Path("/elsewhere"), true)).isTrue();
    }
}
