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

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hadoopmpsr.client.proto.MpsrProtos.RebuildScopeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebuildingProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ToRebuildProto;
import org.hadoopmpsr.client.wire.DamageWire;
import org.hadoopmpsr.core.rebuild.DamageCauses;
import org.jspecify.annotations.Nullable;

/** What is to be rebuilt, what becomes of it, and what is rebuilt now. */
final class ToRebuildView {

    private ToRebuildView() {}

    /** One line. */
    static String text(ToRebuildProto left, long nowMs) {
        return "To rebuild in " + left.getPath() + ", group '" + left.getGroup() + "': " + left.getSegments()
                + " segments, about " + left.getBytes() + " bytes ("
                + DamageWire.causes(left.getCauses()).text() + ") since "
                + time(left.getSince()) + "; " + state(left, nowMs) + timeLeft(left);
    }

    private static String state(ToRebuildProto left, long nowMs) {
        if (left.hasRunningSince()) {
            return "a rebuild runs since " + time(left.getRunningSince());
        }
        return left.getDue() > nowMs
                ? "due at " + time(left.getDue())
                : "due since " + time(left.getDue()) + ", no rebuild of hdfs mpsr maintain runs";
    }

    private static String timeLeft(ToRebuildProto left) {
        return left.hasSecondsLeft() && left.getSecondsLeft() > 0
                ? "; about " + Duration.ofSeconds(left.getSecondsLeft()) + " left at the pace so far"
                : "";
    }

    static Map<String, Object> json(ToRebuildProto left) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", left.getPath());
        json.put("group", left.getGroup());
        json.put("segments", left.getSegments());
        DamageCauses causes = DamageWire.causes(left.getCauses());
        json.put("files", causes.allFiles());
        json.put("bytes", left.getBytes());
        json.put("lostFiles", left.getCauses().getLost());
        json.put("corruptFiles", left.getCauses().getCorrupt());
        json.put("changedFiles", left.getCauses().getChanged());
        json.put("segmentsWithDeletedFiles", causes.deletedIn());
        json.put("since", time(left.getSince()));
        json.put("due", time(left.getDue()));
        json.put("runningSince", left.hasRunningSince() ? time(left.getRunningSince()) : null);
        json.put("secondsLeft", secondsLeft(left));
        return json;
    }

    private static @Nullable Long secondsLeft(ToRebuildProto left) {
        return left.hasSecondsLeft() ? left.getSecondsLeft() : null;
    }

    /** One line. */
    static String text(RebuildingProto now) {
        RebuildScopeProto scope = now.getScope();
        return "Rebuilding in " + now.getPath() + ", group '" + scope.getGroup() + "': " + scope.getSegments()
                + " segments, " + scope.getFiles() + " files, " + scope.getBytes() + " bytes since "
                + time(now.getSince()) + (scope.getFalseFiles() ? ", found false by a scrub" : "");
    }

    static Map<String, Object> json(RebuildingProto now) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", now.getPath());
        json.put("group", now.getScope().getGroup());
        json.put("segments", now.getScope().getSegments());
        json.put("files", now.getScope().getFiles());
        json.put("bytes", now.getScope().getBytes());
        json.put("cause", now.getScope().getFalseFiles() ? "scrub" : "damage");
        json.put("since", time(now.getSince()));
        return json;
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
