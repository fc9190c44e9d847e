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
package org.hadoopmpsr.client.maintain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.jspecify.annotations.Nullable;

/** Maintenance as text for people, not printable as it is, and as JSON. */
public final class MaintenanceText {

    private MaintenanceText() {}

    /** What the NameNode knows, in lines; none from an older NameNode. */
    public static List<String> lines(StatusResponseProto status, long nowMs) {
        List<String> lines = new ArrayList<>();
        if (status.hasMaintenance()) {
            MaintenanceStatusProto maintenance = status.getMaintenance();
            lines.add("Maintenance: " + maintainer(maintenance, nowMs)
                    + (maintenance.hasChecked()
                            ? "; nothing was left to do at " + time(maintenance.getChecked())
                            : ""));
            maintenance
                    .getRunList()
                    .forEach(run -> lines.add("  - " + run.getPath() + ": " + of(MaintenanceWire.run(run.getRun()))));
        }
        return lines;
    }

    private static String maintainer(MaintenanceStatusProto maintenance, long nowMs) {
        if (!maintenance.getEnabled()) {
            return "switched off by dfs.mpsr.maintenance.enabled";
        }
        if (!maintenance.hasSince()) {
            return "nobody";
        }
        boolean held = maintenance.hasHolder() && maintenance.getExpires() > nowMs;
        long since = maintenance.hasHolder() && !held ? maintenance.getExpires() : maintenance.getSince();
        return (held ? maintenance.getHolder() : "nobody") + " since " + time(since);
    }

    /** A run on one line. */
    public static String of(MaintenanceRun run) {
        String text = run.task() + " " + run.outcome().name().toLowerCase(Locale.ROOT);
        if (run.outcome() == Outcome.RUNNING) {
            return text + " since " + time(run.startedMs());
        }
        text += " at " + time(run.endedMs()) + ", " + run.segments() + " segments, " + run.bytes() + " bytes";
        if (run.failures() > 0) {
            text += "; failures: " + run.failures() + ", last done: "
                    + (run.lastDoneMs() == 0 ? "never" : time(run.lastDoneMs()));
        }
        if (run.scrub() != null) {
            text += "; " + run.scrub().text()
                    + (run.scrub().oldestMs() == 0
                            ? ""
                            : "; the longest unread since " + time(run.scrub().oldestMs()));
        }
        return run.problem() == null ? text : text + "; " + run.problem();
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** What the NameNode knows, for JSON. */
    public static Map<String, Object> json(MaintenanceStatusProto maintenance) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("enabled", maintenance.getEnabled());
        json.put("holder", maintenance.hasHolder() ? maintenance.getHolder() : null);
        json.put("since", timeOrNull(maintenance.getSince()));
        json.put("expires", timeOrNull(maintenance.getExpires()));
        json.put("checked", timeOrNull(maintenance.getChecked()));
        json.put(
                "runs",
                maintenance.getRunList().stream()
                        .map(run -> {
                            Map<String, Object> of = new LinkedHashMap<>();
                            of.put("path", run.getPath());
                            of.putAll(json(MaintenanceWire.run(run.getRun())));
                            return of;
                        })
                        .toList());
        return json;
    }

    /** A run for JSON. */
    public static Map<String, Object> json(MaintenanceRun run) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("task", run.task());
        json.put("outcome", run.outcome().name().toLowerCase(Locale.ROOT));
        json.put("started", timeOrNull(run.startedMs()));
        json.put("ended", timeOrNull(run.endedMs()));
        json.put("failures", run.failures());
        json.put("lastDone", timeOrNull(run.lastDoneMs()));
        json.put("segments", run.segments());
        json.put("bytes", run.bytes());
        json.put("problem", run.problem());
        ScrubSummary scrub = run.scrub();
        if (scrub != null) {
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("segments", scrub.segments());
            its.put("inTime", scrub.inTime());
            its.put("oldest", timeOrNull(scrub.oldestMs()));
            its.put("found", scrub.found());
            its.put("healed", scrub.healed());
            its.put("wrong", scrub.wrong());
            json.put("scrub", its);
        }
        return json;
    }

    private static @Nullable String timeOrNull(long ms) {
        return ms == 0 ? null : time(ms);
    }
}
