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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.core.compact.CompactionPlan;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.compact.Merge;

/** Plans of compaction as JSON and as text. */
final class CompactView {
    /** About what a file with one block takes of the NameNode's heap: HDFS's inode and block, and MPSR's statistics. */
    private static final long HEAP_OF_FILE = 457;

    private static final int SHOWN = 20;

    private CompactView() {}

    /** What merges save of files, at best. */
    private static long saved(List<CompactionPlan> rounds) {
        return rounds.stream().mapToLong(p -> p.filesRead() - p.filesWritten()).sum();
    }

    static Map<String, Object> json(String path, List<HeldSegment> segments, List<CompactionPlan> rounds) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("segments", segments.size());
        json.put("files", segments.stream().mapToLong(HeldSegment::files).sum());
        List<Object> plans = new ArrayList<>();
        for (CompactionPlan plan : rounds) {
            plans.add(plan.merges().stream().map(CompactView::json).toList());
        }
        json.put("rounds", plans);
        json.put(
                "bytesRead",
                rounds.stream().mapToLong(CompactionPlan::bytesRead).sum());
        json.put("filesSaved", saved(rounds));
        json.put("heapSaved", saved(rounds) * HEAP_OF_FILE);
        List<Object> kept = new ArrayList<>();
        for (HeldSegment s : segments) {
            if (s.keptBecause() != null) {
                kept.add(Map.of("segment", s.id(), "reason", s.keptBecause()));
            }
        }
        json.put("kept", kept);
        return json;
    }

    private static Map<String, Object> json(Merge merge) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("first", merge.first());
        json.put("last", merge.last());
        json.put("segments", merge.segments().stream().map(HeldSegment::id).toList());
        json.put("records", merge.records());
        json.put("filesRead", merge.filesRead());
        json.put("bytesRead", merge.bytesRead());
        json.put("filesWritten", merge.filesWritten());
        return json;
    }

    static void print(Output out, String path, List<HeldSegment> segments, List<CompactionPlan> rounds) {
        out.line(path + ": " + segments.size() + " segment(s), "
                + segments.stream().mapToLong(HeldSegment::files).sum() + " files");
        if (rounds.isEmpty()) {
            out.line("There is nothing to merge.");
        } else {
            printMerges(out, rounds);
        }
        List<HeldSegment> kept =
                segments.stream().filter(s -> s.keptBecause() != null).toList();
        kept.stream().limit(SHOWN).forEach(s -> out.line("Kept: segment " + s.id() + ": " + s.keptBecause()));
        if (kept.size() > SHOWN) {
            out.line("Kept: " + (kept.size() - SHOWN) + " more; --json lists all");
        }
    }

    private static void printMerges(Output out, List<CompactionPlan> rounds) {
        Table table = new Table("ROUND", "CHANGES", "SEGMENTS", "RECORDS", "FILES", "BYTES", "FILES AFTER");
        int rows = 0;
        int merges = 0;
        for (int round = 0; round < rounds.size(); round++) {
            for (Merge m : rounds.get(round).merges()) {
                merges++;
                if (rows < SHOWN) {
                    rows++;
                    table.row(
                            round + 1,
                            m.first() + "-" + m.last(),
                            m.segments().size(),
                            m.records(),
                            m.filesRead(),
                            m.bytesRead(),
                            m.filesWritten());
                }
            }
        }
        out.table(table);
        if (merges > SHOWN) {
            out.line("and " + (merges - SHOWN) + " more merges; --json lists all");
        }
        long bytes = rounds.stream().mapToLong(CompactionPlan::bytesRead).sum();
        out.line("Reads " + bytes + " bytes of all groups, and writes about as many. Saves up to " + saved(rounds)
                + " files, which are " + saved(rounds) * HEAP_OF_FILE + " bytes of the NameNode's heap.");
    }
}
