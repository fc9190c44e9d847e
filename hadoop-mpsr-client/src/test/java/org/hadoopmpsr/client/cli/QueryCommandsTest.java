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
import org.junit.jupiter.api.Test;

/** The command lines of {@code query} that are refused before anything is asked. */
class QueryCommandsTest {
    private static String refused(String... arguments) {
        StringWriter said = new StringWriter();
        int code = MpsrCommand.commandLine().setErr(new PrintWriter(said, true)).execute(arguments);
        assertThat(code).as(said.toString()).isEqualTo(2);
        return said.toString();
    }

    @Test
    void optionsThatMakeNoSenseAreNamed() {
        assertThat(refused("query", "statistics", "/d")).contains("Missing required option: '--column=NAME'");
        assertThat(refused("query", "chart", "--column", "v")).contains("Missing required parameter: 'DATASET'");
        assertThat(refused("query", "heatmap", "/d", "--column", "v")).contains("Missing required option: '--by=NAME'");
        assertThat(refused("query", "chart", "/d", "--column", "v", "--width", "wide"))
                .contains("the option --width has the value 'wide', which is no whole number from 1 to 100000");
        assertThat(refused("query", "similar", "/d", "--column", "v")).contains("it is not said what is similar");
        assertThat(refused("query", "chart", "/d", "--column", "v", "--of", "mean"))
                .contains("give --interval together with --of");
        assertThat(refused("query", "statistics", "/d", "--column", "v", "--csv", "--json"))
                .contains("--csv and --json exclude each other");
    }
}
