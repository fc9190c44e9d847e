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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.Asked;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.WorkloadLog;

/** Collects what logs tell, in bounded memory. For one thread. */
public final class ImportedWorkload {
    /** The group that readers without MPSR read; no replica group may have this name. */
    public static final String STOCK = "stock";

    private static final int MOST_CLASSES = 10_000;

    private final String below;
    private final WorkloadLog log = new WorkloadLog(MOST_CLASSES);
    private long sinceMs = Long.MAX_VALUE;
    private long lines;
    private long unreadable;
    private long queries;

    /** @param below only directories at or below this one count */
    public ImportedWorkload(String below) {
        this.below = below.endsWith("/") ? below : below + "/";
    }

    /** True if queries of this directory count. */
    boolean counts(String directory) {
        return (directory + "/").startsWith(below);
    }

    /** Counts a line that was read. */
    void line(boolean readable) {
        lines++;
        unreadable += readable ? 0 : 1;
    }

    /**
     * Adds a query.
     *
     * @param files the number of files that were read; negative if unknown
     * @param bytes the size of these files; negative if unknown
     * @param tookMs the milliseconds that it took; negative if unknown
     */
    void add(String directory, AskedShape asked, double files, double bytes, long timeMs, double tookMs) {
        Amount read = new Amount(Math.max(0, files), Math.max(0, bytes), -1);
        List<Candidate> candidates = files < 0
                ? List.of()
                : List.of(new Candidate(STOCK, (int) files, (long) Math.max(0, bytes), 0, false, 0, null));
        log.asked(
                directory,
                STOCK,
                new Asked(asked, files < 0 ? null : STOCK, read, Amount.NONE, candidates, null),
                timeMs);
        if (tookMs >= 0) {
            log.took(directory, asked.shape(), tookMs);
        }
        sinceMs = Math.min(sinceMs, timeMs);
        queries++;
    }

    /** What was collected. */
    public WorkloadReport report() {
        List<WorkloadReport.OfDataset> datasets = new ArrayList<>();
        new TreeSet<>(log.datasets())
                .forEach(path -> datasets.add(new WorkloadReport.OfDataset(path, STOCK, log.classes(path))));
        return new WorkloadReport(queries == 0 ? 0 : sinceMs, MOST_CLASSES, log.evicted(), datasets);
    }

    /** How much was read, in a sentence. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%,d lines, %,d of them unreadable; %,d queries of %,d directories",
                lines,
                unreadable,
                queries,
                log.datasets().size());
    }
}
