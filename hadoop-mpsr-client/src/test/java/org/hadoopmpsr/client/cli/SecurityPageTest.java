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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** docs/security.md tells of every command which calls it makes. */
class SecurityPageTest {

    private static void addCommands(String name, CommandLine command, List<String> names) {
        command.getSubcommands().forEach((sub, line) -> {
            if (line.getSubcommands().isEmpty() && !sub.equals("help")) {
                names.add(name + " " + sub);
            }
            addCommands(name + " " + sub, line, names);
        });
    }

    @Test
    void everyCommandIsInTheTable() throws Exception {
        List<String> commands = new ArrayList<>();
        addCommands("hdfs mpsr", MpsrCommand.commandLine(), commands);
        String page = Files.readString(Path.of("../docs/security.md"));

        assertThat(commands)
                .hasSizeGreaterThan(6)
                .allSatisfy(c -> assertThat(page).contains("| `" + c + "` |"));
    }
}
