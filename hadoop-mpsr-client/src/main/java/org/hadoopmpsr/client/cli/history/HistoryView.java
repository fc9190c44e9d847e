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

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.core.history.Tag;

/** Shows the history of a dataset. */
final class HistoryView {
    private static final Pattern SPAN = Pattern.compile("(\\d{1,6})([smhd])");

    private HistoryView() {}

    /**
     * The number of seconds of a span of time; negative for {@code default}.
     *
     * @throws IllegalArgumentException for a text that is no span, with a message for the user
     */
    static long seconds(String text) {
        if (text.equals("default")) {
            return -1;
        }
        Matcher span = SPAN.matcher(text);
        if (!span.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no span of time; give one such as 90s, 30m, 12h or 30d, or default");
        }
        TimeUnit unit = switch (span.group(2)) {
            case "s" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MINUTES;
            case "h" -> TimeUnit.HOURS;
            default -> TimeUnit.DAYS;
        };
        return unit.toSeconds(Long.parseLong(span.group(1)));
    }

    /** For people. */
    static List<String> lines(String path, History history) {
        List<String> lines = new ArrayList<>();
        if (!history.counted()) {
            lines.add(path
                    + ": the changes are not counted yet, and only the present state can be read; they are counted from the"
                    + " first merge, delete or tag on");
            return lines;
        }
        lines.add(path + ": " + history.last() + " changes; every state after change " + history.horizon()
                + " or a later one can be read");
        lines.add("  replaced files are kept for " + history.keptSeconds() + " s"
                + (history.ownKept() ? ", as the dataset says" : ""));
        for (Tag tag : history.tags()) {
            lines.add("  tag " + tag.name() + ": change " + tag.sequence() + ", given at "
                    + Instant.ofEpochMilli(tag.timeMs()) + " by " + tag.user());
        }
        for (History.Change change : history.changes()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %s %d at %s: +%,d -%,d records, +%d -%d segments%s",
                    change.readable() ? "change" : "(change)",
                    change.sequence(),
                    Instant.ofEpochMilli(change.timeMs()),
                    change.addedRecords(),
                    change.removedRecords(),
                    change.addedSegments(),
                    change.removedSegments(),
                    change.id() == null ? "" : ", " + change.id()));
        }
        if (history.changes().stream().anyMatch(change -> !change.readable())) {
            lines.add("  (change): files of the state that it left are deleted");
        }
        return lines;
    }

    /** For programs. */
    static Map<String, Object> json(String path, History history) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("counted", history.counted());
        json.put("last", history.last());
        json.put("horizon", history.horizon());
        json.put("keptSeconds", history.keptSeconds());
        json.put("tags", history.tags().stream().map(HistoryView::json).toList());
        json.put("changes", history.changes().stream().map(HistoryView::json).toList());
        return json;
    }

    private static Map<String, Object> json(Tag tag) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", tag.name());
        json.put("sequence", tag.sequence());
        json.put("time", Instant.ofEpochMilli(tag.timeMs()).toString());
        json.put("user", tag.user());
        return json;
    }

    private static Map<String, Object> json(History.Change change) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("sequence", change.sequence());
        json.put("time", Instant.ofEpochMilli(change.timeMs()).toString());
        if (change.id() != null) {
            json.put("id", change.id());
        }
        json.put("addedSegments", change.addedSegments());
        json.put("addedRecords", change.addedRecords());
        json.put("removedSegments", change.removedSegments());
        json.put("removedRecords", change.removedRecords());
        json.put("readable", change.readable());
        return json;
    }
}
