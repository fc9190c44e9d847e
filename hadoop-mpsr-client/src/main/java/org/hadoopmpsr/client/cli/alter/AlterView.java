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
package org.hadoopmpsr.client.cli.alter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.Dataset.Alteration;
import org.hadoopmpsr.client.Dataset.Representation;
import org.hadoopmpsr.client.cli.common.ColumnsView;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;

/** Shows the groups of a dataset, and how far incomplete ones are. */
final class AlterView {

    private AlterView() {}

    static List<String> lines(Dataset dataset) {
        List<String> lines = new ArrayList<>();
        lines.add("columns: " + dataset.columns().text());
        for (ReplicaGroup group : dataset.groups().groups()) {
            lines.add("group '" + group.name() + "': " + text(group));
        }
        for (Alteration alteration : dataset.alterations()) {
            String name = alteration.group().name();
            lines.add("group '" + name + "': " + text(alteration.group()) + "; incomplete, "
                    + records(dataset, name) + " of "
                    + records(dataset, dataset.groups().defaultName()) + " records are written"
                    + (alteration.replaces() == null ? "" : "; then group '" + alteration.replaces() + "' goes"));
        }
        return lines;
    }

    static Map<String, Object> json(Dataset dataset) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", dataset.path());
        json.put("schema", dataset.schema().ddl());
        json.put("columns", ColumnsView.json(dataset.columns()));
        json.put("records", records(dataset, dataset.groups().defaultName()));
        List<Object> groups = new ArrayList<>();
        dataset.groups().groups().forEach(group -> groups.add(json(dataset, group)));
        for (Alteration alteration : dataset.alterations()) {
            Map<String, Object> group = json(dataset, alteration.group());
            group.put("complete", false);
            group.put("replaces", alteration.replaces());
            groups.add(group);
        }
        json.put("groups", groups);
        return json;
    }

    private static Map<String, Object> json(Dataset dataset, ReplicaGroup group) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("group", group.name());
        json.put("predicates", group.predicates().stream().map(Predicate::text).toList());
        json.put("sort", group.sort().stream().map(SortKey::shown).toList());
        json.put("codec", group.codec().text());
        json.put("transforms", group.transforms().texts());
        json.put("records", records(dataset, group.name()));
        json.put("complete", true);
        return json;
    }

    private static String text(ReplicaGroup group) {
        return group.predicates().stream().map(Predicate::text).collect(Collectors.joining(", "))
                + (group.sort().isEmpty() ? "" : ", sorted by " + SortKey.list(group.sort()))
                + ", " + group.storedAs();
    }

    private static long records(Dataset dataset, String group) {
        return dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .map(Representation::content)
                .mapToLong(content -> content.count())
                .sum();
    }
}
