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
package org.hadoopmpsr.blockmanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostNameRackMappingTest {
    private static final String KEY = "net.topology.table.file.name";

    @TempDir
    private Path dir;

    private final HostNameRackMapping mapping = new HostNameRackMapping();
    private Path table = Path.of("");

    @BeforeEach
    void writeTable() throws Exception {
        table = Files.writeString(dir.resolve("racks"), "# host rack\ndn1 /r1\n\n  dn2\t/r2  \nbad\n#dn3 /r3\n");
        Configuration conf = new Configuration(false);
        conf.set(KEY, table.toString());
        mapping.setConf(conf);
    }

    @Test
    void hostsAreOnTheRacksOfTheTable() {
        assertThat(mapping.resolve(List.of("dn2", "dn1"))).containsExactly("/r2", "/r1");
    }

    @Test
    void otherHostsAreOnTheDefaultRack() {
        assertThat(mapping.resolve(List.of("dn3", "bad", "127.0.0.1"))).containsOnly("/default-rack");
    }

    @Test
    void aChangedTableIsReadWhenAskedTo() throws Exception {
        mapping.resolve(List.of("dn1"));
        Files.writeString(table, "dn1 /r9\n");
        assertThat(mapping.resolve(List.of("dn1"))).containsExactly("/r1");

        mapping.reloadCachedMappings();

        assertThat(mapping.resolve(List.of("dn1"))).containsExactly("/r9");
    }

    @Test
    void withoutATableAllAreOnTheDefaultRack() {
        mapping.setConf(new Configuration(false));
        assertThat(mapping.resolve(List.of("dn1"))).containsExactly("/default-rack");
    }

    @Test
    void aTableThatCannotBeReadIsAnError() throws Exception {
        Files.delete(table);
        assertThatThrownBy(() -> mapping.resolve(List.of("dn1")))
                .hasMessage(KEY + " = '" + table + "': cannot read the racks; correct the file or its name");
    }
}
