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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.hadoopmpsr.client.cli.common.Connection;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PathTest {
    private final Connection connection = new Connection();

    PathTest() {
        new CommandLine(connectionCommand()).parseArgs("--fs", "hdfs://nn:8020");
    }

    private Object connectionCommand() {
        return CommandLine.Model.CommandSpec.create()
                .addMixin("connection", CommandLine.Model.CommandSpec.forAnnotatedObject(connection));
    }

    @Test
    void isTakenWithAndWithoutItsScheme() throws IOException {
        assertThat(connection.path("/cals/meas/")).isEqualTo("/cals/meas");
        assertThat(connection.path("hdfs://nn:8020/cals/meas")).isEqualTo("/cals/meas");
    }

    @Test
    void ofAnotherFileSystemIsRefused() {
        for (String other :
                new String[] {"hdfs://other:8020/cals/meas", "hdfs://nn:9000/cals/meas", "file:///cals/meas"}) {
            assertThatThrownBy(() -> connection.path(other))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "the path '" + other + "' is not on the file system hdfs://nn:8020; leave its scheme out,"
                                    + " or name its file system with --fs");
        }
    }

    @Test
    void mustBeAbsolute() {
        assertThatThrownBy(() -> connection.path("cals/meas"))
                .isInstanceOf(IOException.class)
                .hasMessage("the path 'cals/meas' is relative; name it from the root, such as /cals/meas");
    }

    @Test
    void everyCommandTellsItsVersion() {
        StringWriter out = new StringWriter();
        assertThat(MpsrCommand.commandLine().setOut(new PrintWriter(out)).execute("dataset", "create", "--version"))
                .isZero();
        assertThat(out.toString()).startsWith("hadoop-mpsr ");
    }
}
