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
import org.apache.hadoop.util.StringUtils;
import org.hadoopmpsr.core.advise.Advice;
import org.hadoopmpsr.core.advise.Layout;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.jspecify.annotations.Nullable;

/** Shows advice. Immutable. */
public final class AdviceView {
    private final String path;
    private final Advice advice;
    private final @Nullable DirectoryAdvice directory;
    private final @Nullable AdviceTrial trial;

    /** Advice for a dataset. */
    public AdviceView(String path, Advice advice) {
        this(path, advice, null);
    }

    /**
     * Advice.
     *
     * @param directory what is known of a directory that is no dataset; null for a dataset
     */
    public AdviceView(String path, Advice advice, @Nullable DirectoryAdvice directory) {
        this(path, advice, directory, null);
    }

    private AdviceView(String path, Advice advice, @Nullable DirectoryAdvice directory, @Nullable AdviceTrial trial) {
        this.path = path;
        this.advice = advice;
        this.directory = directory;
        this.trial = trial;
    }

    /** This advice, with what was measured of it. */
    public AdviceView with(AdviceTrial measured) {
        return new AdviceView(path, advice, directory, measured);
    }

    /** Where lines and tables are printed. */
    public interface Printer {
        /** One line, which may hold names of others. */
        void line(String text);

        /** Rows of cells, which may hold names of others; the first row is the head. */
        void table(List<List<String>> rows);
    }

    /** Prints the advice for people. */
    public void print(Printer out) {
        if (directory != null) {
            directory.lines(path).forEach(out::line);
        }
        out.line(path + ": advised groups");
        List<List<String>> groups = new ArrayList<>();
        groups.add(List.of("group", "", "copies", "predicates", "sort"));
        for (ReplicaGroup group : advice.groups()) {
            groups.add(List.of(
                    group.name(),
                    state(group),
                    Integer.toString(group.replication()),
                    Layout.of(group).predicatesText(),
                    sort(group)));
        }
        out.table(groups);
        for (ReplicaGroup group : advice.groups()) {
            out.line("  " + group.name() + ": " + advice.reasons().getOrDefault(group.name(), ""));
        }
        out.line(String.format(
                Locale.ROOT,
                "what one query reads, as planning estimates it for a sample; the classes have %.0f %% of the queries",
                100 * advice.covered()));
        out.table(classes());
        out.line(sum());
        if (trial != null) {
            trial.print(out);
        }
        List<String> steps = steps();
        if (steps.isEmpty()) {
            out.line("nothing is to be done: the present groups are as good");
        } else {
            out.line("to do it:");
            steps.forEach(step -> out.line("  " + step));
        }
    }

    private List<List<String>> classes() {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("queries", "stock files", "bytes", "ms"));
        if (directory == null) {
            head.addAll(List.of("today files", "bytes", "ms", "group"));
        }
        head.addAll(List.of("advised files", "bytes", "ms", "group", "conditions"));
        rows.add(head);
        for (Advice.OfClass one : advice.classes()) {
            List<String> row = new ArrayList<>();
            row.add(Long.toString(one.queries().tally().queries()));
            row.addAll(cells(one.stock()));
            if (directory == null) {
                row.addAll(cells(one.today()));
                row.add(one.today().group());
            }
            row.addAll(cells(one.advised()));
            row.add(one.advised().group());
            row.add(one.queries().shape().conditions());
            rows.add(row);
        }
        return rows;
    }

    private static List<String> cells(Advice.Estimate estimate) {
        return List.of(number(estimate.files()), bytes(estimate.bytes()), number(estimate.costMs()));
    }

    private String sum() {
        double before = directory == null ? advice.todayMs() : advice.stockMs();
        return String.format(
                Locale.ROOT,
                "all of them: %s ms %s, %s ms advised (%.2f of today's), the %s of %d layouts",
                number(advice.stockMs()),
                directory == null
                        ? "in the default group alone, " + number(advice.todayMs()) + " ms today"
                        : "today, without MPSR",
                number(advice.advisedMs()),
                before <= 0 ? 1 : advice.advisedMs() / before,
                advice.optimal() ? "best choice" : "best choice found",
                advice.candidates());
    }

    private String state(ReplicaGroup group) {
        Optional<ReplicaGroup> present = present(group.name());
        if (group.name().equals(advice.today().get(0).name())) {
            return "default";
        }
        if (directory != null) {
            return directory.state(group);
        }
        return present.isEmpty() ? "new" : Layout.of(present.get()).equals(Layout.of(group)) ? "as today" : "changed";
    }

    private static String sort(ReplicaGroup group) {
        return group.sort().isEmpty() ? "as predicates" : Layout.of(group).sortText();
    }

    private Optional<ReplicaGroup> present(String name) {
        return advice.today().stream().filter(g -> g.name().equals(name)).findFirst();
    }

    /** The commands, and the settings that they need. */
    private List<String> steps() {
        if (directory != null) {
            return directory.steps(path, advice.groups());
        }
        List<String> steps = new ArrayList<>();
        for (ReplicaGroup group : advice.groups()) {
            ReplicaGroup present = present(group.name()).orElse(null);
            if (present == null) {
                steps.add("name a group " + group.name() + " in dfs.mpsr.replica.groups of hdfs-site.xml, with"
                        + " dfs.mpsr.replica.group." + group.name() + ".predicates = "
                        + Layout.of(group).predicatesText());
            }
            if (present == null ? group.replication() > 1 : group.replication() != present.replication()) {
                steps.add("set dfs.mpsr.replica.group." + group.name() + ".replication = " + group.replication()
                        + " in hdfs-site.xml");
            }
            if (present == null || !Layout.of(present).equals(Layout.of(group))) {
                steps.add("hdfs mpsr dataset alter " + path + (present == null ? " add-group " : " set-group ")
                        + group.name() + " --predicates "
                        + quoted(Layout.of(group).predicatesText())
                        + (group.sort().isEmpty()
                                ? ""
                                : " --sort " + quoted(Layout.of(group).sortText()))
                        + (present == null ? codec(group.codec()) : ""));
            }
        }
        for (ReplicaGroup present : advice.today()) {
            if (advice.groups().stream().noneMatch(g -> g.name().equals(present.name()))) {
                steps.add("hdfs mpsr dataset alter " + path + " drop-group " + present.name());
            }
        }
        return steps;
    }

    /** A group that is set keeps its codecs; a further one gets those that its times are estimated with. */
    private static String codec(Codecs codecs) {
        return codecs.equals(Codecs.all(Codec.STANDARD)) ? "" : " --codec " + quoted(codecs.text());
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%,.1f" : "%,.0f", value);
    }

    private static String bytes(double bytes) {
        return StringUtils.byteDesc(Math.round(bytes));
    }

    /** The advice for programs. */
    public Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("path", path);
        if (directory != null) {
            json.put("directory", directory.json());
        }
        json.put("asToday", advice.isAsToday());
        json.put("groups", advice.groups().stream().map(this::json).toList());
        json.put("covered", advice.covered());
        json.put("candidates", advice.candidates());
        json.put("optimal", advice.optimal());
        json.put("stockMs", advice.stockMs());
        json.put("todayMs", advice.todayMs());
        json.put("advisedMs", advice.advisedMs());
        json.put("classes", advice.classes().stream().map(AdviceView::json).toList());
        if (trial != null) {
            json.put("trial", trial.json());
        }
        json.put("steps", steps());
        return json;
    }

    private Map<String, @Nullable Object> json(ReplicaGroup group) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", group.name());
        json.put("state", state(group));
        json.put("copies", group.replication());
        json.put("predicates", Layout.of(group).predicatesText());
        json.put("sort", Layout.of(group).sortText());
        json.put("codec", group.codec().text());
        json.put("reason", advice.reasons().get(group.name()));
        return json;
    }

    private static Map<String, @Nullable Object> json(Advice.OfClass one) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("conditions", one.queries().shape().conditions());
        json.put("queries", one.queries().tally().queries());
        json.put("stock", json(one.stock()));
        json.put("today", json(one.today()));
        json.put("advised", json(one.advised()));
        return json;
    }

    static Map<String, @Nullable Object> json(Advice.Estimate estimate) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("group", estimate.group());
        json.put("files", estimate.files());
        json.put("bytes", estimate.bytes());
        json.put("costMs", estimate.costMs());
        return json;
    }
}
