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
package org.hadoopmpsr.client.cli.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.core.history.Tag;
import org.junit.jupiter.api.Test;

class HistoryViewTest {
    private static final History HISTORY = new History(
            "meas-1",
            true,
            3,
            2,
            86_400,
            true,
            List.of(new Tag("early", 1, 0, "alice")),
            List.of(
                    new History.Change(3, 2_000, "delete-1", 1, 900, 1, 1_000, true),
                    new History.Change(1, 1_000, null, 0, 0, 2, 5, false)));

    @Test
    void peopleSeeWhichStatesCanBeRead() {
        assertThat(HistoryView.lines("/d", HISTORY))
                .containsExactly(
                        "/d: 3 changes; every state after change 2 or a later one can be read",
                        "  replaced files are kept for 86400 s, as the dataset says",
                        "  tag early: change 1, given at 1970-01-01T00:00:00Z by alice",
                        "  change 3 at 1970-01-01T00:00:02Z: +900 -1,000 records, +1 -1 segments, delete-1",
                        "  (change) 1 at 1970-01-01T00:00:01Z: +0 -5 records, +0 -2 segments",
                        "  (change): files of the state that it left are deleted");
        History uncounted = new History("meas-1", false, 0, 0, 1, false, List.of(), List.of());
        assertThat(HistoryView.lines("/d", uncounted))
                .hasSize(1)
                .first()
                .asString()
                .contains("not counted yet");
    }

    @Test
    void programsSeeTheSame() {
        Map<String, Object> json = HistoryView.json("/d", HISTORY);
        assertThat(json).containsEntry("horizon", 2L).containsEntry("last", 3L).containsEntry("counted", true);
        assertThat(json.get("tags").toString()).contains("name=early", "sequence=1");
        assertThat(json.get("changes").toString()).contains("id=delete-1", "readable=false");
    }

    @Test
    void spansAreReadAsPeopleWriteThem() {
        assertThat(HistoryView.seconds("default")).isEqualTo(-1);
        assertThat(HistoryView.seconds("90s")).isEqualTo(90);
        assertThat(HistoryView.seconds("30d")).isEqualTo(30 * 86_400);
        assertThatThrownBy(() -> HistoryView.seconds("30")).hasMessageContaining("'30' is no span of time");
    }
}
