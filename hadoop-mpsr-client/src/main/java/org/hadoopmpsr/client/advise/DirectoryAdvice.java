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
package org.hadoopmpsr.client.advise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.util.StringUtils;
import org.hadoopmpsr.core.advise.DirectoryLayout;
import org.hadoopmpsr.core.advise.Layout;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What advice tells of a directory that is no dataset. Immutable.
 *
 * @param files the number of its files
 * @param bytes of one copy of them
 * @param read of how many the ends were read
 * @param failed of how many the ends could not be read
 * @param readBytes how many bytes were read of them
 * @param measuredFiles how many files were read as a whole to learn what records take in other groups
 * @param measuredBytes of these files
 * @param layout how it is partitioned
 * @param wanted the columns that the user wants otherwise than in the files; null for none
 * @param configured the groups of the cluster; null if MPSR does not run there
 */
public record DirectoryAdvice(
        long files,
        long bytes,
        int read,
        int failed,
        long readBytes,
        int measuredFiles,
        long measuredBytes,
        DirectoryLayout layout,
        @Nullable String wanted,
        @Nullable ReplicaGroups configured) {

    /** What the directory is, and how much of it was read. */
    List<String> lines(String path) {
        return List.of(
                String.format(
                        Locale.ROOT,
                        "%s: %d files, %s, partitioned by %s; the ends of %d files are read%s, %s",
                        path,
                        files,
                        StringUtils.byteDesc(bytes),
                        layout.predicates().stream().map(Predicate::text).collect(Collectors.joining(", ")),
                        read,
                        failed == 0 ? "" : " (" + failed + " more could not be)",
                        StringUtils.byteDesc(readBytes)),
                path + ": columns: " + layout.schema().ddl(),
                measuredFiles == 0
                        ? path
                                + ": what records take in other groups is not measured; they count as in the files as they lie"
                        : String.format(
                                Locale.ROOT,
                                "%s: what records take in other groups is measured with those of %d files, %s",
                                path,
                                measuredFiles,
                                StringUtils.byteDesc(measuredBytes)));
    }

    /** How a group, which is not the default group, differs from what is configured. */
    String state(ReplicaGroup group) {
        Optional<ReplicaGroup> known = Optional.ofNullable(configured).flatMap(groups -> groups.find(group.name()));
        return known.isEmpty() ? "new" : Layout.of(known.get()).equals(Layout.of(group)) ? "as configured" : "changed";
    }

    /**
     * The commands that make a dataset with these groups, and the settings that they need.
     *
     * @param groups the default group first
     */
    List<String> steps(String path, List<ReplicaGroup> groups) {
        List<String> steps = new ArrayList<>();
        if (configured == null) {
            steps.add("name the groups in hdfs-site.xml, and start MPSR (docs/deploy.md): dfs.mpsr.replica.groups = "
                    + groups.stream().map(ReplicaGroup::name).collect(Collectors.joining(", "))
                    + "; dfs.mpsr.default.group = " + groups.get(0).name());
        }
        List<WantedGroup> others = new ArrayList<>();
        for (ReplicaGroup group : groups) {
            ReplicaGroup known =
                    configured == null ? null : configured.find(group.name()).orElse(null);
            if (known == null) {
                steps.add((configured == null
                                ? "set "
                                : "name a group " + group.name()
                                        + " in dfs.mpsr.replica.groups of hdfs-site.xml, with ")
                        + setting(group, "predicates")
                        + Layout.of(group).predicatesText()
                        + (group.sort().isEmpty()
                                ? ""
                                : "; " + setting(group, "sort")
                                        + Layout.of(group).sortText()));
            } else if (!Layout.of(known).equals(Layout.of(group))) {
                others.add(new WantedGroup(group.name(), group.predicates(), group.sort(), null));
            }
            if (known == null ? group.replication() > 1 : group.replication() != known.replication()) {
                steps.add("set " + setting(group, "replication") + group.replication() + " in hdfs-site.xml");
            }
        }
        steps.add(adopt(path, others));
        if (configured != null) {
            configured.names().stream()
                    .filter(name -> groups.stream().noneMatch(g -> g.name().equals(name)))
                    .forEach(name -> steps.add("hdfs mpsr dataset alter " + path + " drop-group " + name));
        }
        return steps;
    }

    private static String setting(ReplicaGroup group, String what) {
        return "dfs.mpsr.replica.group." + group.name() + "." + what + " = ";
    }

    private String adopt(String path, List<WantedGroup> others) {
        StringBuilder command = new StringBuilder("hdfs mpsr dataset adopt ").append(quotedPath(path));
        String schema = schema();
        if (!schema.isEmpty()) {
            command.append(" --schema ").append(AdviceView.quoted(schema));
        }
        others.forEach(group -> command.append(" --group ").append(AdviceView.quoted(group.text())));
        return command.append(" --execute").toString();
    }

    private static String quotedPath(String path) {
        return path.matches("[\\w/.=%+:@-]+") ? path : AdviceView.quoted(path);
    }

    /** What {@code --schema} of the adoption has to say. */
    private String schema() {
        List<Column> columns = new ArrayList<>(
                wanted == null ? List.of() : Schema.parse(wanted).columns());
        for (Column column : layout.added()) {
            if (columns.stream().noneMatch(other -> ColumnName.areTwins(other.name(), column.name()))) {
                columns.add(column);
            }
        }
        return columns.stream().map(Column::ddl).collect(Collectors.joining(", "));
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("files", files);
        json.put("bytes", bytes);
        json.put("filesRead", read);
        json.put("filesUnread", failed);
        json.put("bytesRead", readBytes);
        json.put("filesMeasured", measuredFiles);
        json.put("bytesMeasured", measuredBytes);
        json.put("schema", layout.schema().ddl());
        json.put("predicates", layout.predicates().stream().map(Predicate::text).toList());
        return json;
    }
}
