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

/** The command lines of {@code dataset delete}, {@code dataset expire} and {@code dataset rollback} that are refused before anything is asked. */
class DeleteCommandsTest {
    private static String refused(String... arguments) {
        StringWriter said = new StringWriter();
        int code = MpsrCommand.commandLine().setErr(new PrintWriter(said, true)).execute(arguments);
        assertThat(code).as(said.toString()).isEqualTo(2);
        return said.toString();
    }

    @Test
    void itMustBeSaidWhatIsWantedAndWhichRecordsGo() {
        assertThat(refused("dataset", "delete", "/d", "--where", "true"))
                .contains(
                        "Missing required argument (specify one of these): (--dry-run | --execute | --status | --cancel)");
        assertThat(refused("dataset", "delete", "/d", "--where", "true", "--dry-run", "--execute"))
                .contains("are mutually exclusive");
        assertThat(refused("dataset", "delete", "/d", "--execute"))
                .contains("Missing required option: '--where=CONDITION'");
        assertThat(refused("dataset", "expire", "/d", "--dry-run"))
                .contains("Missing required option: '--before=TIME'");
        assertThat(refused("dataset", "delete", "--execute", "--where", "true"))
                .contains("Missing required parameter: 'PATH'");
        assertThat(refused("dataset", "rollback", "/d", "--dry-run")).contains("Missing required option: '--to=STATE'");
        assertThat(refused("dataset", "rollback", "/d", "--to", "3"))
                .contains(
                        "Missing required argument (specify one of these): (--dry-run | --execute | --status | --cancel)");
    }
}
