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

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.rebuild.DamagedFile;

/** What is damaged, as JSON and as text. */
final class DamageView {
    private static final int SHOWN = 20;

    private DamageView() {}

    static Map<String, Object> json(String path, List<Damage> damages) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("damaged", damages.stream().map(DamageView::json).toList());
        return json;
    }

    private static Map<String, Object> json(Damage damage) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("segment", damage.segment());
        json.put("group", damage.group());
        json.put("liveCopies", damage.liveCopies());
        json.put("sources", damage.sources().keySet().stream().sorted().toList());
        json.put("since", damage.sinceMs());
        json.put("due", damage.due());
        json.put("recordsMissing", damage.missing().count());
        json.put("filesDeleted", damage.deleted());
        List<Object> files = new ArrayList<>();
        for (DamagedFile file : damage.files()) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("path", file.file().path());
            of.put("cause", file.cause().name().toLowerCase(Locale.ROOT));
            of.put("bytes", file.file().length());
            files.add(of);
        }
        json.put("files", files);
        return json;
    }

    static void print(Output out, String path, List<Damage> damages) {
        if (damages.isEmpty()) {
            out.line(path + ": nothing is damaged");
            return;
        }
        out.line(path + ": " + damages.size() + " segment(s) of groups are damaged, "
                + damages.stream().mapToLong(damage -> damage.files().size()).sum() + " files");
        Table table = new Table("SEGMENT", "GROUP", "LIVE COPIES", "RECORDS MISSING", "FILES", "SINCE");
        damages.stream()
                .limit(SHOWN)
                .forEach(damage -> table.row(
                        damage.segment(),
                        damage.group(),
                        damage.liveCopies(),
                        damage.missing().count(),
                        damage.files().size() + (damage.deleted() ? " and deleted ones" : ""),
                        Instant.ofEpochMilli(damage.sinceMs())));
        out.table(table);
        if (damages.size() > SHOWN) {
            out.line("and " + (damages.size() - SHOWN) + " more; --json lists all");
        }
        long lost = damages.stream().filter(damage -> damage.liveCopies() == 0).count();
        if (lost > 0) {
            out.line(lost + " of them have no live copy in any group, and cannot be rebuilt: bring back a DataNode that"
                    + " has their files, or ingest the records again.");
        }
    }
}
