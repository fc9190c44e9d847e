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
package org.hadoopmpsr.client.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecord.Progress;
import org.hadoopmpsr.client.run.RunRecord.State;
import org.junit.jupiter.api.Test;

class RunViewTest {
    private static final Progress PLANNED = new Progress(3, 12, 24, 1_000, 6, 0);

    private final StringWriter text = new StringWriter();
    private final Output out = new Output(new PrintWriter(text, true));

    private static RunRecord run(State state, String problem) {
        Progress done = new Progress(1, 4, 8, 250, 2, 7);
        String change = state == State.RUNNING ? "merge-5-8-0a" : null;
        return new RunRecord("/d", "app-1", "ingest", state, 1_000, 61_000, change, done, PLANNED, problem);
    }

    @Test
    void aRunIsShownWithTheTimeLeft() {
        RunView.print(out, JobKind.COMPACT, "/d", run(State.RUNNING, null), 62_000);
        assertThat(text.toString().lines())
                .containsExactly(
                        "/d: running, application app-1 of ingest, started 1970-01-01T00:00:01Z",
                        "  merges: 1 of about 3; segments replaced: 4; files: 8 became 2, without 7 duplicates",
                        "  bytes:  250 of about 1000, about PT3M left",
                        "  change underway: merge-5-8-0a");
        assertThat(Json.text(RunView.json(JobKind.COMPACT, "/d", run(State.RUNNING, null), 62_000)))
                .contains("\"state\": \"running\"", "\"duplicates\": 7", "\"leftMs\": 180000", "\"problem\": null");
    }

    @Test
    void aRunThatHasEndedOrIsLostIsShown() {
        RunView.print(out, JobKind.COMPACT, "/d", run(State.FAILED, "disk full"), 62_000);
        assertThat(text.toString()).contains("/d: failed", "  disk full").doesNotContain("left");
        RunView.print(out, JobKind.COMPACT, "/d", run(State.RUNNING, null), 1_000_000);
        assertThat(text.toString())
                .contains("/d: lost", "its driver has said nothing since 1970-01-01T00:01:01Z; the next compaction");
        RunView.print(out, JobKind.COMPACT, "/e", null, 0);
        assertThat(text.toString()).contains("/e: no compaction of this user");
        assertThat(Json.text(RunView.json(JobKind.COMPACT, "/e", null, 0)))
                .isEqualTo("{\"path\": \"/e\", \"state\": null}");
    }

    @Test
    void aRebuildHasItsOwnWords() {
        RunView.print(out, JobKind.REBUILD, "/d", run(State.DONE, null), 62_000);
        assertThat(text.toString()).contains("  changes: 1 of about 3; segments rebuilt: 4; files: 8 became 2");
        assertThat(Json.text(RunView.json(JobKind.REBUILD, "/d", run(State.DONE, null), 62_000)))
                .contains("\"changes\": 1");
    }
}
