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
package org.hadoopmpsr.client.workload;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.Asked;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.GroupTally;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.QueryShape;
import org.hadoopmpsr.core.workload.QueryTally;
import org.hadoopmpsr.core.workload.Term;
import org.jspecify.annotations.Nullable;

/** A workload as JSON, for programs and to be read again. */
public final class WorkloadJson {

    private WorkloadJson() {}

    /** The JSON of a report. */
    public static Map<String, @Nullable Object> of(WorkloadReport report) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("since", time(report.sinceMs()));
        json.put("mostClasses", report.mostClasses());
        json.put("evicted", report.evicted());
        json.put(
                "datasets",
                report.datasets().stream().map(WorkloadJson::dataset).toList());
        return json;
    }

    private static Map<String, @Nullable Object> dataset(WorkloadReport.OfDataset dataset) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("path", dataset.path());
        json.put("defaultGroup", dataset.stockGroup());
        json.put("queries", dataset.queries());
        json.put(
                "classes", dataset.classes().stream().map(WorkloadJson::queries).toList());
        return json;
    }

    private static Map<String, @Nullable Object> queries(QueryClass queries) {
        QueryTally tally = queries.tally();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("conditions", queries.shape().conditions());
        List<Object> terms = new ArrayList<>();
        for (int i = 0; i < queries.shape().terms().size(); i++) {
            terms.add(term(queries.shape().terms().get(i), tally.measure(i)));
        }
        json.put("terms", terms);
        json.put("columns", queries.shape().columns());
        json.put("queries", tally.queries());
        json.put("over", queries.over());
        json.put("repeats", tally.repeats());
        json.put("stock", tally.stock());
        json.put("first", time(tally.firstMs()));
        json.put("last", time(tally.lastMs()));
        json.put("planned", amount(tally.planned()));
        json.put("all", amount(tally.all()));
        List<Object> groups = new ArrayList<>();
        tally.groups().forEach((name, group) -> groups.add(group(name, group)));
        json.put("groups", groups);
        json.put("reports", tally.reports());
        json.put("reportedMs", tally.reportedMs());
        json.put("example", tally.last() == null ? null : tally.last().example());
        return json;
    }

    private static Map<String, @Nullable Object> term(Term term, double measure) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("columns", term.columns());
        json.put("operator", term.operator().name());
        json.put("magnitude", term.magnitude());
        json.put("measure", Double.isNaN(measure) ? null : measure);
        return json;
    }

    private static Map<String, @Nullable Object> amount(Amount amount) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("files", amount.files());
        json.put("bytes", amount.bytes());
        json.put("records", amount.records() < 0 ? null : amount.records());
        return json;
    }

    private static Map<String, @Nullable Object> group(String name, GroupTally group) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("chosen", group.chosen());
        json.put("evaluated", group.evaluated());
        json.put("atLeast", group.atLeast());
        json.put("files", group.files());
        json.put("bytes", group.bytes());
        json.put("costMs", group.costMs());
        return json;
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }

    /**
     * Reads a report that {@link #of} made.
     *
     * @throws IllegalArgumentException if the text is none, with a phrase that tells why
     */
    public static WorkloadReport read(String text) {
        if (!(JsonTree.parse(text) instanceof Map<?, ?> json) || !(json.get("datasets") instanceof List<?>)) {
            throw new IllegalArgumentException(
                    "it has no list 'datasets'; make it with hdfs mpsr workload --json or hdfs mpsr workload import --json");
        }
        List<WorkloadReport.OfDataset> datasets = new ArrayList<>();
        for (Object one : JsonTree.list(json, "datasets")) {
            if (one instanceof Map<?, ?> dataset) {
                List<QueryClass> classes = new ArrayList<>();
                for (Object queries : JsonTree.list(dataset, "classes")) {
                    if (queries instanceof Map<?, ?> map) {
                        classes.add(readClass(map));
                    }
                }
                datasets.add(new WorkloadReport.OfDataset(
                        JsonTree.text(dataset, "path"), JsonTree.text(dataset, "defaultGroup"), classes));
            }
        }
        return new WorkloadReport(
                readTime(JsonTree.text(json, "since")),
                (int) JsonTree.number(json, "mostClasses", 0),
                (long) JsonTree.number(json, "evicted", 0),
                datasets);
    }

    private static QueryClass readClass(Map<?, ?> json) {
        List<Term> terms = new ArrayList<>();
        List<Double> measures = new ArrayList<>();
        double queries = JsonTree.number(json, "queries", 0);
        for (Object one : JsonTree.list(json, "terms")) {
            if (one instanceof Map<?, ?> term) {
                terms.add(readTerm(term));
                measures.add(JsonTree.number(term, "measure", Double.NaN) * queries);
            }
        }
        Map<String, GroupTally> groups = new TreeMap<>();
        for (Object one : JsonTree.list(json, "groups")) {
            if (one instanceof Map<?, ?> group) {
                groups.put(JsonTree.text(group, "name"), readGroup(group));
            }
        }
        QueryShape shape = new QueryShape(terms, json.get("columns") instanceof List<?> names ? texts(names) : null);
        String example = JsonTree.text(json, "example");
        QueryTally tally = new QueryTally(
                (long) queries,
                (long) JsonTree.number(json, "repeats", 0),
                (long) JsonTree.number(json, "stock", 0),
                readTime(JsonTree.text(json, "first")),
                readTime(JsonTree.text(json, "last")),
                measures,
                readAmount(JsonTree.object(json, "planned")),
                readAmount(JsonTree.object(json, "all")),
                groups,
                (long) JsonTree.number(json, "reports", 0),
                JsonTree.number(json, "reportedMs", 0),
                example.isEmpty() ? null : Asked.example(new AskedShape(shape, measures), example));
        return new QueryClass(shape, (long) JsonTree.number(json, "over", 0), tally);
    }

    private static Term readTerm(Map<?, ?> json) {
        String operator = JsonTree.text(json, "operator");
        for (Term.Operator known : Term.Operator.values()) {
            if (known.name().equals(operator)) {
                return new Term(
                        texts(JsonTree.list(json, "columns")), known, (int) JsonTree.number(json, "magnitude", 0));
            }
        }
        throw new IllegalArgumentException("it has a condition with the operator '" + operator
                + "', which this version does not know; read it with the version that wrote it");
    }

    private static List<String> texts(List<?> list) {
        return list.stream().map(String::valueOf).toList();
    }

    private static GroupTally readGroup(Map<?, ?> json) {
        return new GroupTally(
                (long) JsonTree.number(json, "chosen", 0),
                (long) JsonTree.number(json, "evaluated", 0),
                (long) JsonTree.number(json, "atLeast", 0),
                JsonTree.number(json, "files", 0),
                JsonTree.number(json, "bytes", 0),
                JsonTree.number(json, "costMs", 0));
    }

    private static Amount readAmount(Map<?, ?> json) {
        return new Amount(
                JsonTree.number(json, "files", 0),
                JsonTree.number(json, "bytes", 0),
                JsonTree.number(json, "records", -1));
    }

    private static long readTime(String text) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is no time such as 2026-11-28T14:00:00Z", e);
        }
    }
}
