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
package org.hadoopmpsr.client.cli.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.core.compact.CompactionPlan;
import org.hadoopmpsr.core.compact.CompactionPlanner;
import org.hadoopmpsr.core.compact.GroupShare;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.compact.MergeRules;
import org.junit.jupiter.api.Test;

class CompactViewTest {
    private static final MergeRules RULES = MergeRules.of(128 << 20, 10_000);

    private final StringWriter text = new StringWriter();
    private final Output out = new Output(new PrintWriter(text, true));

    private static List<HeldSegment> segments(int count, String keptBecause) {
        List<HeldSegment> segments = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            segments.add(
                    new HeldSegment("c" + i, i, i, i, 100, Map.of("time", new GroupShare(2, 1_000)), "", keptBecause));
        }
        return segments;
    }

    @Test
    void aPlanIsShownWithWhatItSaves() {
        List<HeldSegment> segments = segments(4, null);
        List<CompactionPlan> rounds = CompactionPlanner.rounds(segments, RULES);
        CompactView.print(out, "/d", segments, rounds);
        assertThat(text.toString().lines())
                .containsExactly(
                        "/d: 4 segment(s), 8 files",
                        "ROUND  CHANGES  SEGMENTS  RECORDS  FILES  BYTES  FILES AFTER",
                        "1      1-4      4         400      8      4000   2",
                        "Reads 4000 bytes of all groups, and writes about as many. Saves up to 6 files, which are 2742"
                                + " bytes of the NameNode's heap.");
        assertThat(Json.text(CompactView.json("/d", segments, rounds)))
                .isEqualTo("{\"path\": \"/d\", \"segments\": 4, \"files\": 8, \"rounds\": [[{\"first\": 1, \"last\": 4,"
                        + " \"segments\": [\"c1\", \"c2\", \"c3\", \"c4\"], \"records\": 400, \"filesRead\": 8,"
                        + " \"bytesRead\": 4000, \"filesWritten\": 2}]], \"bytesRead\": 4000, \"filesSaved\": 6,"
                        + " \"heapSaved\": 2742, \"kept\": []}");
    }

    @Test
    void aLongPlanIsCutAndWhatIsKeptHasItsReason() {
        List<HeldSegment> many = segments(99 * 30, null);
        CompactView.print(out, "/d", many, CompactionPlanner.rounds(many, RULES));
        assertThat(text.toString()).contains("and 11 more merges; --json lists all");
        text.getBuffer().setLength(0);
        CompactView.print(out, "/d", segments(22, "1 file is lost"), List.of());
        assertThat(text.toString())
                .contains(
                        "There is nothing to merge.",
                        "Kept: segment c1: 1 file is lost",
                        "Kept: 2 more; --json lists all");
    }
}
