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

import java.io.FileNotFoundException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.text.PrintableText;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Names that forge lines of a log or control a terminal. */
class HostileNamesTest {
    private static final String FORGED = "2026-01-01 INFO org.hadoopmpsr all is well";
    private static final String HOSTILE = "a\n" + FORGED + "\u001b[1A";
    private static final String SHOWN = "a\\u000a" + FORGED + "\\u001b[1A";

    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 1);
        client = cluster.client();
        client.createDataset("/names/plain/meas", TestCluster.SCHEMA);
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void noDatasetHasSuchAPath() {
        assertThatThrownBy(() -> client.createDataset("/names/" + HOSTILE, TestCluster.SCHEMA))
                .hasMessageContaining(
                        "cannot create a dataset at '/names/" + SHOWN + "': it holds a control character");
        assertThatThrownBy(() -> client.createDataset("/names/\u202eb", TestCluster.SCHEMA))
                .hasMessageContaining("cannot create a dataset at '/names/\\u202eb'");
    }

    @Test
    void noneLiesInATrashDirectory() {
        assertThatThrownBy(() -> client.createDataset("/user/x/.Trash/Current/meas", TestCluster.SCHEMA))
                .hasMessageContaining("it lies in a trash directory, which HDFS empties");
    }

    @Test
    void noneGetsOneByARename() throws Exception {
        for (String source : new String[] {"/names/plain", "/names/plain/meas"}) {
            assertThatThrownBy(() -> cluster.fs().rename(new Path(source), new Path("/names", HOSTILE)))
                    .hasMessageContaining("cannot rename " + source + " to /names/" + SHOWN)
                    .hasMessageContaining("the path of a dataset must not hold control characters");
        }
        cluster.fs().mkdirs(new Path("/names/other"));
        assertThat(cluster.fs().rename(new Path("/names/other"), new Path("/names", HOSTILE + "2")))
                .as("what is no dataset is as on stock HDFS")
                .isTrue();
    }

    @Test
    void errorsOfCallsAreOneLineInTheLogAndForTheCaller() {
        GenericTestUtils.setLogLevel(Server.LOG, Level.INFO);
        LogCapturer log = LogCapturer.captureLogs(Server.LOG);
        try {
            assertThatThrownBy(() -> client.getDataset("/names/" + HOSTILE))
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining("/names/" + SHOWN);
        } finally {
            log.stopCapturing();
        }
        assertThat(log.getOutput()).contains(SHOWN);
        assertThat(log.getOutput().lines())
                .noneMatch(line -> line.startsWith(FORGED))
                .allMatch(line -> PrintableText.isPlain(line.replace("\t", "")));
    }
}
