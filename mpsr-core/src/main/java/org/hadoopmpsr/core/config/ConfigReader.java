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
package org.hadoopmpsr.core.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.hadoopmpsr.core.alloc.ScatterWidth;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.SlowReads;
import org.hadoopmpsr.core.elastic.ElasticSettings;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.text.CommaList;
import org.hadoopmpsr.core.transform.TransformName;

/** Reads a configuration and collects all problems, instead of stopping at the first. */
final class ConfigReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");
    /** Names that no group may have: those of the store's own directories, and what a read without a group is called. */
    private static final Set<String> RESERVED =
            Set.of("staging", "publishing", "offsets", "segments", "replaced", "commits", "stock");

    private static final int MAX_PERCENT = 50;
    private static final int MAX_WORKLOAD_CLASSES = 10_000;

    private final MpsrConfig.Source source;
    private final List<ConfigProblem> problems = new ArrayList<>();

    ConfigReader(MpsrConfig.Source source) {
        this.source = source;
    }

    MpsrConfig read() {
        String storeDir = storeDir();
        int maxFiles = positive(ConfigKeys.MAX_COMMIT_FILES.name(), ConfigKeys.MAX_COMMIT_FILES);
        int maxWaiting = positive(ConfigKeys.MAX_WAITING_COMMITS.name(), ConfigKeys.MAX_WAITING_COMMITS);
        CallLimits calls = callLimits();
        int expiry = positive(ConfigKeys.STAGING_EXPIRY.name(), ConfigKeys.STAGING_EXPIRY);
        int emptyExpiry = positive(ConfigKeys.EMPTY_STAGING_EXPIRY.name(), ConfigKeys.EMPTY_STAGING_EXPIRY);
        int maxOpen = positive(ConfigKeys.MAX_OPEN_COMMITS.name(), ConfigKeys.MAX_OPEN_COMMITS);
        int maxOpenOfUser = positive(ConfigKeys.MAX_OPEN_COMMITS_OF_USER.name(), ConfigKeys.MAX_OPEN_COMMITS_OF_USER);
        int dropDelay = number(ConfigKeys.DROP_DELAY.name(), ConfigKeys.DROP_DELAY, 0);
        int history = number(ConfigKeys.HISTORY.name(), ConfigKeys.HISTORY, 0);
        int health = positive(ConfigKeys.HEALTH_INTERVAL.name(), ConfigKeys.HEALTH_INTERVAL);
        int quiet = positive(ConfigKeys.SAFE_MODE_QUIET.name(), ConfigKeys.SAFE_MODE_QUIET);
        int rebuildDelay = number(ConfigKeys.REBUILD_DELAY.name(), ConfigKeys.REBUILD_DELAY, 0);
        int workloadClasses = workloadClasses();
        boolean workloadLiterals = flag(ConfigKeys.WORKLOAD_LITERALS);
        ElasticSettings elastic = elastic();
        boolean maintenance = flag(ConfigKeys.MAINTENANCE_ENABLED);
        ScatterWidth width = width(ConfigKeys.SEGMENT_NODES.name(), ConfigKeys.SEGMENT_NODES, ScatterWidths.DEFAULT);
        Map<String, ScatterWidth> widths = new HashMap<>();
        List<ReplicaGroup> groups = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String name : CommaList.of(text(ConfigKeys.GROUPS.name(), ConfigKeys.GROUPS))) {
            checkName(name, seen);
            groups.add(group(name));
            widths.put(name, width(ConfigKeys.GROUP_SEGMENT_NODES.of(name), ConfigKeys.GROUP_SEGMENT_NODES, width));
        }
        String defaultGroup = defaultGroup(groups);
        checkDefault(groups, defaultGroup);
        checkLossy(groups);
        CostReader costs = new CostReader(source, problems);
        CostModel model = costs.read();
        SlowReads slowReads = costs.slowReads();
        boolean usable = problems.isEmpty() && !groups.isEmpty();
        return new MpsrConfig(
                usable ? Optional.of(new ReplicaGroups(groups, defaultGroup)) : Optional.empty(),
                groups,
                new ScatterWidths(width, widths),
                storeDir,
                maxFiles,
                maxWaiting,
                calls,
                expiry,
                emptyExpiry,
                maxOpen,
                maxOpenOfUser,
                dropDelay,
                history,
                health,
                quiet,
                rebuildDelay,
                workloadClasses,
                workloadLiterals,
                elastic,
                maintenance,
                model,
                slowReads,
                problems);
    }

    private CallLimits callLimits() {
        return new CallLimits(
                number(ConfigKeys.MAX_CALL_BYTES.name(), ConfigKeys.MAX_CALL_BYTES, 1_024),
                positive(ConfigKeys.MAX_FILTER_VALUES.name(), ConfigKeys.MAX_FILTER_VALUES),
                number(ConfigKeys.MAX_CALLS.name(), ConfigKeys.MAX_CALLS, 0),
                number(ConfigKeys.MAX_USER_CALLS.name(), ConfigKeys.MAX_USER_CALLS, 0),
                percent(ConfigKeys.CALL_HEAP),
                number(ConfigKeys.MAX_PAGE_BYTES.name(), ConfigKeys.MAX_PAGE_BYTES, 1_024),
                positive(ConfigKeys.MAX_PLAN_MS.name(), ConfigKeys.MAX_PLAN_MS));
    }

    private int workloadClasses() {
        return upTo(MAX_WORKLOAD_CLASSES, ConfigKeys.WORKLOAD_CLASSES, "more than the NameNode keeps in memory");
    }

    private ElasticSettings elastic() {
        int budget = upTo(100, ConfigKeys.ELASTIC_BUDGET, "more space than all files take");
        int queries = positive(ConfigKeys.ELASTIC_QUERIES.name(), ConfigKeys.ELASTIC_QUERIES);
        int halfLife = positive(ConfigKeys.ELASTIC_HALF_LIFE.name(), ConfigKeys.ELASTIC_HALF_LIFE);
        int megabytes = number(ConfigKeys.ELASTIC_RATE.name(), ConfigKeys.ELASTIC_RATE, 0);
        return new ElasticSettings(budget, queries, TimeUnit.MINUTES.toMillis(halfLife), megabytes * 1_000_000L);
    }

    private int upTo(int most, ConfigKey key, String cause) {
        int value = number(key.name(), key, 0);
        if (value > most) {
            problem(
                    key.name(),
                    String.valueOf(value),
                    cause,
                    "set it to a number from 0 to " + most + ", or leave it out");
            return most;
        }
        return value;
    }

    private boolean flag(ConfigKey key) {
        String text = text(key.name(), key).toLowerCase(Locale.ROOT);
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        problem(key.name(), text, "neither true nor false", "set it to true or false, or leave it out");
        return Boolean.parseBoolean(key.defaultValue());
    }

    private int percent(ConfigKey key) {
        int value = positive(key.name(), key);
        if (value > MAX_PERCENT) {
            problem(
                    key.name(),
                    String.valueOf(value),
                    "more than half of the heap, which HDFS needs",
                    "set it to a number from 1 to " + MAX_PERCENT + ", or leave it out");
            return MAX_PERCENT;
        }
        return value;
    }

    private void checkName(String name, Set<String> seen) {
        String key = ConfigKeys.GROUPS.name();
        if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
            problem(
                    key,
                    name,
                    "not a usable group name",
                    "use letters, digits, hyphens and underscores, and none of "
                            + RESERVED.stream().sorted().toList());
        }
        if (!seen.add(name)) {
            problem(key, name, "the group is listed twice", "list each group once");
        }
    }

    private ReplicaGroup group(String name) {
        List<Predicate> predicates = predicates(name);
        return new ReplicaGroup(
                name,
                predicates,
                sort(name, predicates),
                positive(ConfigKeys.REPLICATION.of(name), ConfigKeys.REPLICATION),
                codec(name),
                transforms(name));
    }

    private List<Predicate> predicates(String group) {
        String key = ConfigKeys.PREDICATES.of(group);
        String text = text(key, ConfigKeys.PREDICATES);
        List<Predicate> predicates = new ArrayList<>();
        Set<String> columns = new HashSet<>();
        for (String part : CommaList.of(text)) {
            try {
                Predicate predicate = Predicate.parse(part);
                if (!columns.add(predicate.column().toLowerCase(Locale.ROOT))) {
                    problem(
                            key,
                            text,
                            "column '" + ColumnPath.shown(predicate.column()) + "' is named twice",
                            "name it in one predicate");
                }
                predicates.add(predicate);
            } catch (IllegalArgumentException e) {
                problem(key, text, String.valueOf(e.getMessage()), "correct the predicate");
            }
        }
        if (CommaList.of(text).isEmpty()) {
            problem(key, text, "the group has no predicate", "set it, for example to day(timestamp)");
        }
        return predicates;
    }

    private List<SortKey> sort(String group, List<Predicate> predicates) {
        String key = ConfigKeys.SORT.of(group);
        String text = text(key, ConfigKeys.SORT);
        List<SortKey> keys;
        try {
            keys = SortKey.parseList(text);
        } catch (IllegalArgumentException e) {
            problem(key, text, String.valueOf(e.getMessage()), "correct the sort order");
            return List.of();
        }
        Set<String> seen = new HashSet<>();
        for (SortKey by : keys) {
            if (!seen.add(by.column().toLowerCase(Locale.ROOT))) {
                problem(key, text, "column '" + ColumnPath.shown(by.column()) + "' is named twice", "name it once");
            }
            if (by.isIdleIn(predicates)) {
                problem(
                        key,
                        text,
                        "all records of a file have the same " + by.text()
                                + ", because the group's predicates divide records by it",
                        "leave it out of the sort order");
            }
        }
        return keys;
    }

    private Codecs codec(String group) {
        String key = ConfigKeys.CODEC.of(group);
        String text = text(key, ConfigKeys.CODEC);
        try {
            return Codecs.parse(text);
        } catch (IllegalArgumentException e) {
            problem(key, text, String.valueOf(e.getMessage()), "correct the codec or leave the key out");
            return Codecs.parse(ConfigKeys.CODEC.defaultValue());
        }
    }

    private ColumnTransforms transforms(String group) {
        String prefix = ConfigKeys.TRANSFORM.of(group).replace("<column>", "");
        Map<String, TransformName> transforms = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        source.below(prefix).forEach((column, text) -> {
            try {
                ColumnName.check(column);
                if (transforms.put(column, TransformName.parse(text)) != null) {
                    problem(prefix + column, text, "the column has another key, in other letters", "set one of them");
                }
            } catch (IllegalArgumentException e) {
                problem(
                        prefix + column,
                        text,
                        String.valueOf(e.getMessage()),
                        "correct the transform or leave the key out");
            }
        });
        return new ColumnTransforms(transforms);
    }

    private void checkDefault(List<ReplicaGroup> groups, String defaultGroup) {
        groups.stream()
                .filter(group -> group.name().equals(defaultGroup))
                .flatMap(group -> group.transforms().withoutIdentity().ofColumns().entrySet().stream())
                .forEach(entry -> problem(
                        ConfigKeys.TRANSFORM.of(defaultGroup).replace("<column>", entry.getKey()),
                        entry.getValue().text(),
                        "'" + defaultGroup + "' is the default group, whose files every reader reads",
                        "leave the key out, or set it for another group"));
    }

    private void checkLossy(List<ReplicaGroup> groups) {
        List<String> exact = groups.stream()
                .filter(group -> !group.isLossy())
                .map(ReplicaGroup::name)
                .toList();
        if (exact.size() >= LossyGroups.LEAST_EXACT) {
            return;
        }
        for (ReplicaGroup group : groups) {
            group.transforms()
                    .lossy()
                    .ofColumns()
                    .forEach((column, transform) -> problem(
                            ConfigKeys.TRANSFORM.of(group.name()).replace("<column>", column),
                            transform.text(),
                            LossyGroups.cause(exact),
                            LossyGroups.FIX));
        }
    }

    private ScatterWidth width(String key, ConfigKey definition, ScatterWidth standard) {
        String text = text(key, definition);
        if (text.equals(ScatterWidth.ALL.text())) {
            return ScatterWidth.ALL;
        }
        int nodes = number(key, text, definition, 0, "not a whole number from 0, and not all");
        return nodes == 0 ? standard : new ScatterWidth(nodes);
    }

    private int positive(String key, ConfigKey definition) {
        return number(key, definition, 1);
    }

    private int number(String key, ConfigKey definition, int least) {
        return number(key, text(key, definition), definition, least, "not a whole number from " + least);
    }

    private int number(String key, String text, ConfigKey definition, int least, String cause) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // falls through to the same problem
        }
        problem(key, text, cause, "set it to " + definition.defaultValue() + " or leave it out");
        return Integer.parseInt(definition.defaultValue());
    }

    private String storeDir() {
        String key = ConfigKeys.STORE_DIR.name();
        String text = text(key, ConfigKeys.STORE_DIR);
        String dir = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        if (dir.startsWith("/") && !dir.contains("//") && !dir.startsWith("/.reserved")) {
            return dir;
        }
        problem(key, text, "not an absolute path below the root", "set it to " + ConfigKeys.STORE_DIR.defaultValue());
        return ConfigKeys.STORE_DIR.defaultValue();
    }

    private String defaultGroup(List<ReplicaGroup> groups) {
        String key = ConfigKeys.DEFAULT_GROUP.name();
        String text = text(key, ConfigKeys.DEFAULT_GROUP);
        if (text.isEmpty()) {
            return groups.isEmpty() ? "" : groups.get(0).name();
        }
        if (groups.stream().noneMatch(g -> g.name().equals(text))) {
            problem(
                    key,
                    text,
                    "not one of the groups in " + ConfigKeys.GROUPS.name(),
                    "name one of " + groups.stream().map(ReplicaGroup::name).toList());
        }
        return text;
    }

    private String text(String key, ConfigKey definition) {
        String value = source.apply(key);
        return value == null || value.isBlank() ? definition.defaultValue() : value.trim();
    }

    private void problem(String key, String value, String cause, String fix) {
        problems.add(new ConfigProblem(key, value, cause, fix));
    }
}
