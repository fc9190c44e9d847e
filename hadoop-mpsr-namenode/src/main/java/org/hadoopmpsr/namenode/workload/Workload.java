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
package org.hadoopmpsr.namenode.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.Asked;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.ShapeReader;
import org.hadoopmpsr.core.workload.WorkloadLog;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Counts what is planned, as classes of queries, in memory and since this NameNode started. Planning never fails because of it, nor
 * waits for more than the time in which one query is counted. Thread-safe.
 */
public final class Workload {
    private static final Logger LOG = PrintableLog.of(Workload.class);
    private static final String CALL = "mpsrGetWorkload";

    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final int mostClasses;
    private final boolean literals;
    private final Counters counters;
    private final WorkloadLog log;
    private final DatasetBounds bounds;
    private final long sinceMs;

    /**
     * @param mostClasses the most classes that are kept; 0 for none
     * @param literals true if the values of queries are kept
     */
    public Workload(
            MpsrNamesystem system,
            Datasets datasets,
            DatasetReaders readers,
            int mostClasses,
            boolean literals,
            Counters counters) {
        this.system = system;
        this.datasets = datasets;
        this.readers = readers;
        this.mostClasses = mostClasses;
        this.literals = literals;
        this.counters = counters;
        this.log = new WorkloadLog(mostClasses);
        this.bounds = new DatasetBounds(system.clock());
        this.sinceMs = system.clock().now();
    }

    /**
     * Counts a query that was planned. A comparison of files with a listing is none.
     *
     * @param index the state that was planned
     */
    public void asked(DatasetRecord dataset, DatasetIndex index, ReadRequest read, Plan plan) {
        count(read, () -> {
            GroupIndex ofStock = index.group(dataset.defaultGroup());
            Amount all = new Amount(
                    ofStock.files(), ofStock.bytes(), ofStock.content().count());
            long evicted = log.evicted();
            log.asked(
                    dataset.id(),
                    dataset.groups(),
                    new Asked(
                            shape(dataset, index, read),
                            plan.stock() ? null : plan.group(),
                            planned(plan),
                            all,
                            plan.candidates(),
                            literals ? read.filter().toString() : null),
                    system.clock().now());
            counters.add(Counter.WORKLOAD_EVICTED, log.evicted() - evicted);
        });
    }

    /** Counts a query of a reader whose own plan still holds. */
    public void askedAgain(DatasetRecord dataset, DatasetIndex index, ReadRequest read) {
        count(
                read,
                () -> log.askedAgain(
                        dataset.id(),
                        dataset.groups(),
                        shape(dataset, index, read).shape(),
                        system.clock().now()));
    }

    private void count(ReadRequest read, Runnable counting) {
        if (read.compared() || !log.isOn()) {
            return;
        }
        try {
            counting.run();
            counters.increment(Counter.WORKLOAD_QUERIES);
        } catch (RuntimeException e) {
            counters.increment(Counter.ERRORS);
            LOG.warn("A query is missing in the workload", e);
        }
    }

    private AskedShape shape(DatasetRecord dataset, DatasetIndex index, ReadRequest read) {
        Function<String, ColumnStatistics> ofColumn = column -> bounds.of(dataset, index, column);
        List<String> known =
                dataset.schema().columns().stream().map(Column::name).toList();
        return ShapeReader.read(read.filter(), read.columns(), known, ofColumn);
    }

    private static Amount planned(Plan plan) {
        double records = 0;
        for (DataFile file : plan.files()) {
            records += file.statistics().rows();
        }
        double bytes = plan.candidates().stream()
                .filter(c -> c.group().equals(plan.group()))
                .mapToDouble(Candidate::bytes)
                .sum();
        return new Amount(plan.files().size(), bytes, records);
    }

    /** Forgets all datasets but these. */
    public void retain(Set<String> ids) {
        log.retain(ids);
        bounds.retain(ids);
    }

    /** The number of classes. */
    public int size() {
        return log.size();
    }

    /** What was asked of a dataset, the most frequent class first. */
    public record OfDataset(DatasetRecord dataset, List<QueryClass> classes) {}

    /**
     * What was asked of datasets.
     *
     * @param sinceMs queries are counted since then, in milliseconds since the epoch
     * @param mostClasses the most classes that are kept
     * @param evicted how many classes were forgotten to make room for others
     */
    public record Told(long sinceMs, int mostClasses, long evicted, List<OfDataset> datasets) {}

    /**
     * Tells the calling user what was asked of datasets all of which the user may read.
     *
     * @param path the dataset; null for all
     * @throws IOException also if a dataset is named that the user may not read all of
     */
    public Told tell(@Nullable String path) throws IOException {
        system.checkActive();
        List<OfDataset> told = new ArrayList<>();
        if (path != null) {
            DatasetRecord dataset = datasets.require(CALL, path, FsAction.READ_EXECUTE);
            readers.check(CALL, dataset);
            told.add(new OfDataset(dataset, log.classes(dataset.id())));
        } else {
            for (DatasetRecord dataset : readable()) {
                told.add(new OfDataset(dataset, log.classes(dataset.id())));
            }
        }
        return new Told(sinceMs, mostClasses, log.evicted(), told);
    }

    private List<DatasetRecord> readable() throws IOException {
        List<DatasetRecord> asked = log.datasets().stream()
                .map(datasets::withId)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(DatasetRecord::path))
                .toList();
        Set<String> open =
                system.accessible(CALL, asked.stream().map(DatasetRecord::path).toList(), FsAction.READ_EXECUTE);
        List<DatasetRecord> readable = new ArrayList<>();
        for (DatasetRecord dataset : asked) {
            if (open.contains(dataset.path()) && readers.denied(CALL, dataset) == null) {
                readable.add(dataset);
            }
        }
        return readable;
    }
}
