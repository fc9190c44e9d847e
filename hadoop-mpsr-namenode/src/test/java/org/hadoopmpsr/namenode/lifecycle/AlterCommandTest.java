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
package org.hadoopmpsr.namenode.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.alter.AlterCommand;
import org.hadoopmpsr.namenode.TestCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command with a NameNode. */
class AlterCommandTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private record Ended(int code, String out, String err) {}

    private static Ended run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new AlterCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(List.of(args));
        all.add("-fs=" + cluster.mini().getURI());
        return new Ended(command.execute(all.toArray(String[]::new)), out.toString(), err.toString());
    }

    private static List<String> groups(String path) throws Exception {
        return client.getDataset(path).groups().names();
    }

    @Test
    void allDatasetsBelowADirectoryAreAltered() throws Exception {
        client.createDataset("/many/a", TestCluster.SCHEMA);
        client.createDataset("/many/b", TestCluster.SCHEMA);
        client.createDataset("/manyother", TestCluster.SCHEMA);
        client.alterations().drop("/many/b", null, "device");

        Ended dropped = run("/many", "drop-group", "device");
        assertThat(dropped.code()).as(dropped.toString()).isZero();
        assertThat(dropped.out()).contains("/many/a:", "/many/b:").doesNotContain("'device'");
        assertThat(groups("/many/a")).containsExactly("time", "signal");
        assertThat(groups("/manyother")).contains("device");

        Ended added = run("/", "add-group", "device", "--json");
        assertThat(added.code()).as(added.toString()).isZero();
        assertThat(added.out()).contains("\"path\": \"/many/b\"", "\"path\": \"/manyother\"");
        for (String path : List.of("/many/a", "/many/b", "/manyother")) {
            assertThat(client.getDataset(path).writtenGroups().names()).as(path).hasSize(3);
        }

        Ended refused = run("/many", "drop-group", "time");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains("/many/a: is as before:", "/many/b: is as before:");
        assertThat(run("/many", "add-column", "x int").err())
                .contains("/many is no dataset, and has datasets below it");
        assertThat(run("/many/a", "add-column", "x int").out()).contains("x int");
        assertThat(run("/nothing", "status").code()).isNotZero();
    }

    @Test
    void columnsAreNamed() throws Exception {
        client.createDataset("/one", TestCluster.SCHEMA);
        assertThat(run("/one", "rename-column", "value", "--to", "`wind speed`").out())
                .contains("`wind speed` double (in files: value)");
        assertThat(run("/one", "move-column", "`wind speed`", "--first").out())
                .contains("columns: `wind speed` double (in files: value), signal string");
        assertThat(run("/one", "move-column", "`wind speed`", "--after", "device")
                        .out())
                .contains("device string not null, `wind speed` double");
        assertThat(run("/one", "drop-column", "`wind speed`", "--json").out())
                .contains("\"columns\": [{\"name\": \"signal\", \"stored\": \"signal\"")
                .doesNotContain("wind");
        assertThat(run("/one", "drop-column", "wind speed").err()).contains("write another name in backticks");
        for (List<String> wrong : List.of(
                List.of("rename-column", "device"),
                List.of("drop-column", "device", "--to", "x"),
                List.of("move-column", "device"),
                List.of("move-column", "device", "--first", "--after", "signal"),
                List.of("rename-column", "--to", "x"),
                List.of("status", "x"))) {
            String[] args = new String[wrong.size() + 1];
            args[0] = "/one";
            for (int i = 0; i < wrong.size(); i++) {
                args[i + 1] = wrong.get(i);
            }
            assertThat(run(args).code()).as(wrong.toString()).isEqualTo(2);
        }
    }
}
