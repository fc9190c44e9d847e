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
package org.hadoopmpsr.client.rollback;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.client.history.PlannedRollback.Part;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a rollback of a dataset would change, or has changed.
 *
 * @param path the dataset's directory
 * @param change what has been published; null if nothing is changed
 */
public record RollbackReport(
        String path, PlannedRollback plan, @Nullable Change change) {

    /**
     * A published rollback.
     *
     * @param sequence the number of the change; 0 if nothing tells it any more
     */
    public record Change(String id, long sequence) {}

    /** For people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (plan.isEmpty()) {
            lines.add(path + ": the present state has the records of the state after change " + plan.sequence()
                    + ", and no others; nothing is to be changed");
            return lines;
        }
        String head = change == null ? ": a rollback would bring" : ": a rollback has brought";
        lines.add(path + head + " the state after change " + plan.sequence() + " back, in every replica group");
        if (change != null) {
            lines.add("  change " + change.id() + (change.sequence() > 0 ? ", number " + change.sequence() : ""));
        }
        lines.add(total("removed ", plan.removes()));
        lines.add(total("restored", plan.restores()));
        lines.add(String.format(
                Locale.ROOT,
                "  %,d files (%d bytes) of restored segments are written in all groups",
                PlannedRollback.files(plan.restores()),
                PlannedRollback.bytes(plan.restores())));
        plan.removes().forEach(part -> lines.add(one("removed ", part)));
        plan.restores().forEach(part -> lines.add(one("restored", part)));
        return lines;
    }

    private static String total(String what, List<Part> parts) {
        return String.format(
                Locale.ROOT,
                "  %s %d segments, %,d records, content hash %s",
                what,
                parts.size(),
                PlannedRollback.records(parts),
                ContentHashes.of(parts.stream().map(Part::content).toList()).hex());
    }

    private static String one(String what, Part part) {
        return String.format(
                Locale.ROOT,
                "  %s segment %s: %,d records",
                what,
                part.id(),
                part.content().count());
    }

    /** The reports of several datasets, for programs. */
    public static Map<String, Object> json(List<RollbackReport> reports) {
        return Map.of("rollbacks", reports.stream().map(RollbackReport::json).toList());
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("to", plan.sequence());
        json.put("last", plan.last());
        if (change != null) {
            json.put("change", change.id());
            json.put("sequence", change.sequence());
        }
        json.put("removedRecords", PlannedRollback.records(plan.removes()));
        json.put("restoredRecords", PlannedRollback.records(plan.restores()));
        json.put("files", PlannedRollback.files(plan.restores()));
        json.put("bytes", PlannedRollback.bytes(plan.restores()));
        json.put("removes", plan.removes().stream().map(RollbackReport::json).toList());
        json.put("restores", plan.restores().stream().map(RollbackReport::json).toList());
        return json;
    }

    private static Map<String, Object> json(Part part) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("segment", part.id());
        json.put("records", part.content().count());
        json.put("contentHash", part.content().hex());
        return json;
    }
}
