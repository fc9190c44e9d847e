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

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecord.Progress;
import org.hadoopmpsr.client.run.RunRecord.State;
import org.jspecify.annotations.Nullable;

/** Runs of Spark jobs as JSON and as text. */
public final class RunView {
    private RunView() {}

    /** As JSON.
     *
     * @param run null if there is none
     */
    public static Map<String, Object> json(JobKind kind, String path, @Nullable RunRecord run, long nowMs) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("state", run == null ? null : state(run, nowMs));
        if (run == null) {
            return json;
        }
        json.put("application", run.application());
        json.put("user", run.user());
        json.put("started", run.startedMs());
        json.put("updated", run.updatedMs());
        json.put("change", run.change());
        json.put("done", json(kind, run.done()));
        json.put("planned", json(kind, run.planned()));
        json.put("leftMs", run.isAlive(nowMs) && run.leftMs() >= 0 ? run.leftMs() : null);
        json.put("problem", run.problem());
        return json;
    }

    private static Map<String, Object> json(JobKind kind, Progress progress) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(kind.changes(), progress.changes());
        json.put("segments", progress.segments());
        json.put("files", progress.files());
        json.put("bytes", progress.bytes());
        json.put("filesWritten", progress.filesWritten());
        if (kind == JobKind.COMPACT) {
            json.put("duplicates", progress.duplicates());
        }
        return json;
    }

    private static String state(RunRecord run, long nowMs) {
        return run.state() == State.RUNNING && !run.isAlive(nowMs)
                ? "lost"
                : run.state().name().toLowerCase(Locale.ROOT);
    }

    /** As text.
     *
     * @param run null if there is none
     */
    public static void print(Output out, JobKind kind, String path, @Nullable RunRecord run, long nowMs) {
        if (run == null) {
            out.line(path + ": no " + kind.noun() + " of this user");
            return;
        }
        out.line(path + ": " + state(run, nowMs) + ", application " + run.application() + " of " + run.user()
                + ", started " + Instant.ofEpochMilli(run.startedMs()));
        Progress done = run.done();
        out.line("  " + kind.changes() + ": " + done.changes() + " of about "
                + run.planned().changes() + "; segments " + kind.segments() + ": " + done.segments() + "; files: "
                + done.files() + " became " + done.filesWritten()
                + (done.duplicates() > 0 ? ", without " + done.duplicates() + " duplicates" : ""));
        out.line("  bytes:  " + done.bytes() + " of about " + run.planned().bytes()
                + (run.isAlive(nowMs) && run.leftMs() > 0
                        ? ", about " + Duration.ofSeconds(run.leftMs() / 1_000) + " left"
                        : ""));
        if (run.change() != null) {
            out.line("  change underway: " + run.change());
        }
        if (run.problem() != null) {
            out.line("  " + run.problem());
        }
        if (state(run, nowMs).equals("lost")) {
            out.line("  its driver has said nothing since " + Instant.ofEpochMilli(run.updatedMs()) + "; the next "
                    + kind.noun() + " goes on where it ended");
        }
    }
}
