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
package org.hadoopmpsr.client.cli.workload;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.util.StringUtils;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.client.workload.ImportedWorkload;
import org.hadoopmpsr.client.workload.WorkloadReport;
import org.hadoopmpsr.core.workload.GroupTally;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.QueryTally;

/** Shows a workload to people. */
final class WorkloadView {
    private static final String NOTHING = "-";

    private WorkloadView() {}

    static void print(WorkloadReport report, Output out) {
        if (report.mostClasses() == 0) {
            out.line("the NameNode keeps no workload; set dfs.mpsr.workload.classes above 0");
            return;
        }
        if (report.datasets().stream().allMatch(d -> d.classes().isEmpty())) {
            out.line("no query was counted since " + time(report.sinceMs()));
            return;
        }
        for (WorkloadReport.OfDataset dataset : report.datasets()) {
            if (!dataset.classes().isEmpty()) {
                print(dataset, report.sinceMs(), out);
            }
        }
        if (report.evicted() > 0) {
            out.line(String.format(
                    Locale.ROOT,
                    "%,d rare classes were forgotten, because the NameNode keeps %,d at most (dfs.mpsr.workload.classes)",
                    report.evicted(),
                    report.mostClasses()));
        }
    }

    private static void print(WorkloadReport.OfDataset dataset, long sinceMs, Output out) {
        long queries = dataset.queries();
        out.line(String.format(
                Locale.ROOT,
                "%s: %,d queries of %,d classes since %s%s",
                dataset.path(),
                queries,
                dataset.classes().size(),
                time(sinceMs),
                saved(dataset)));
        Table table = new Table(
                "queries",
                "share",
                "last",
                "group",
                "files",
                "bytes",
                "of all",
                "default group",
                "saved",
                "ms",
                "conditions");
        for (QueryClass one : dataset.classes()) {
            row(table, one, dataset.stockGroup(), queries);
        }
        out.table(table);
        dataset.classes().stream()
                .filter(c -> c.tally().last() != null && c.tally().last().example() != null)
                .forEach(c -> out.line("  " + c.shape().conditions() + ": last "
                        + c.tally().last().example()));
    }

    /** What all classes together saved, where the default group's cost is known. */
    private static String saved(WorkloadReport.OfDataset dataset) {
        double stock = 0;
        double read = 0;
        for (QueryClass one : dataset.classes()) {
            Saving saving = Saving.of(one.tally(), dataset.stockGroup());
            if (saving.isKnown()) {
                stock += saving.stockBytes() * one.tally().plannedQueries();
                read += saving.readBytes() * one.tally().plannedQueries();
            }
        }
        return stock <= 0
                ? ""
                : "; they read " + bytes(read) + ", and from the default group " + dataset.stockGroup()
                        + " would have read at least " + bytes(stock);
    }

    private static void row(Table table, QueryClass one, String stockGroup, long all) {
        QueryTally tally = one.tally();
        Saving saving = Saving.of(tally, stockGroup);
        long planned = tally.plannedQueries();
        table.row(
                (one.over() > 0 ? "over " : "") + String.format(Locale.ROOT, "%,d", tally.queries()),
                percent((double) tally.queries() / all),
                time(tally.lastMs()),
                groups(tally),
                planned == 0
                        ? NOTHING
                        : String.format(Locale.ROOT, "%,.1f", tally.planned().files() / planned),
                planned == 0 ? NOTHING : bytes(tally.planned().bytes() / planned),
                tally.all().bytes() <= 0
                        ? NOTHING
                        : percent(tally.planned().bytes() / tally.all().bytes()),
                saving.isKnown() ? (saving.isLimit() ? "over " : "") + bytes(saving.stockBytes()) : NOTHING,
                saving.isKnown() ? percent(saving.share()) : NOTHING,
                tally.reports() == 0
                        ? NOTHING
                        : String.format(Locale.ROOT, "%,.0f", tally.reportedMs() / tally.reports()),
                one.shape().conditions());
    }

    /** The groups that were chosen, the most frequent first. */
    private static String groups(QueryTally tally) {
        List<String> chosen = tally.groups().entrySet().stream()
                .filter(g -> g.getValue().chosen() > 0)
                .sorted(Comparator.comparingLong((Map.Entry<String, GroupTally> g) ->
                                g.getValue().chosen())
                        .reversed())
                .map(Map.Entry::getKey)
                .toList();
        String names = String.join(", ", chosen);
        if (tally.stock() == 0) {
            return names;
        }
        return names + (names.isEmpty() ? "" : ", ") + "stock";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.1 && share > 0 ? "%.1f %%" : "%.0f %%", 100 * share);
    }

    private static String bytes(double bytes) {
        return StringUtils.byteDesc(Math.round(bytes));
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms / 1000 * 1000).toString();
    }

    /**
     * What one query of a class reads, on average, and would have read in the default group.
     *
     * @param isLimit true if the default group would have read more than that
     */
    private record Saving(double readBytes, double stockBytes, boolean isLimit) {
        static Saving of(QueryTally tally, String stockGroup) {
            GroupTally stock = tally.groups().get(stockGroup);
            // what logs tell was read without MPSR: there is nothing to compare
            boolean isImported = stockGroup.equals(ImportedWorkload.STOCK);
            return isImported || stock == null || stock.evaluated() == 0 || tally.plannedQueries() == 0
                    ? new Saving(0, Double.NaN, false)
                    : new Saving(
                            tally.planned().bytes() / tally.plannedQueries(),
                            stock.bytes() / stock.evaluated(),
                            stock.atLeast() > 0);
        }

        boolean isKnown() {
            return !Double.isNaN(stockBytes);
        }

        double share() {
            return stockBytes <= 0 ? 0 : Math.max(0, 1 - readBytes / stockBytes);
        }
    }
}
