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
package org.hadoopmpsr.client.cli.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.rebuild.DamagedFile;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class DamageViewTest {
    private final StringWriter text = new StringWriter();
    private final Output out = new Output(new PrintWriter(text, true));

    private static Damage damage(String segment, boolean deleted, String... sources) {
        ContentHash content = new ContentHash(7, 8, 9);
        DataFile file = new DataFile("/d/f", 5, 100, 0, new FileStatistics(segment, content, List.of(), Map.of()));
        Map<String, Segment.Group> whole = new java.util.HashMap<>();
        for (String source : sources) {
            whole.put(source, Segment.Group.EMPTY);
        }
        return new Damage(
                segment,
                "signal",
                false,
                whole,
                1_000,
                true,
                ContentHash.EMPTY,
                content,
                deleted,
                List.of(new DamagedFile(file, DamagedFile.Cause.LOST)));
    }

    @Test
    void whatIsDamagedIsShown() {
        DamageView.print(out, "/d", List.of(damage("s1", true, "time", "device"), damage("s2", false)));
        assertThat(text.toString().lines())
                .containsExactly(
                        "/d: 2 segment(s) of groups are damaged, 2 files",
                        "SEGMENT  GROUP   LIVE COPIES  RECORDS MISSING  FILES               SINCE",
                        "s1       signal  2            7                1 and deleted ones  1970-01-01T00:00:01Z",
                        "s2       signal  0            7                1                   1970-01-01T00:00:01Z",
                        "1 of them have no live copy in any group, and cannot be rebuilt: bring back a DataNode that has"
                                + " their files, or ingest the records again.");
        assertThat(Json.text(DamageView.json("/d", List.of(damage("s1", false, "time")))))
                .isEqualTo("{\"path\": \"/d\", \"damaged\": [{\"segment\": \"s1\", \"group\": \"signal\","
                        + " \"liveCopies\": 1, \"sources\": [\"time\"], \"since\": 1000, \"due\": true,"
                        + " \"recordsMissing\": 7, \"filesDeleted\": false, \"files\": [{\"path\": \"/d/f\","
                        + " \"cause\": \"lost\", \"bytes\": 100}]}]}");
    }

    @Test
    void nothingIsSaidOfWhatIsSound() {
        DamageView.print(out, "/d", List.of());
        assertThat(text.toString()).isEqualTo("/d: nothing is damaged" + System.lineSeparator());
    }
}
