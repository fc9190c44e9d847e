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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.QuotaCounts;
import org.apache.hadoop.ipc.CurrentCall;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.quota.StoreUse;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.segment.Replaced;
import org.hadoopmpsr.namenode.segment.Retention;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.jspecify.annotations.Nullable;

/**
 * Describes datasets to users who may read them. The numbers of files and records are told to those only who may read all
 * of the dataset, and committed offsets to those and to writers.
 */
public final class DatasetInfos {
    private static final String OPERATION = "mpsrGetDataset";
    /** The number of datasets to which rights are asked in one hold of the lock. */
    private static final int STEP = 50;
    /** The time after which a page ends. */
    private static final long PAGE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** About the bytes of a representation, an offset or a run of maintenance in an answer. */
    private static final int PART_BYTES = 200;

    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final Indexes indexes;
    private final Verification verification;
    private final Offsets offsets;
    private final DatasetLocks locks;
    private final StoreUse use;
    private final SegmentRecords records;
    private final Retention retention;
    private final Maintenance maintenance;
    private final long maxPageBytes;

    public DatasetInfos(
            MpsrNamesystem system,
            StoreLayout layout,
            Datasets datasets,
            DatasetReaders readers,
            Indexes indexes,
            Verification verification,
            Offsets offsets,
            DatasetLocks locks,
            StoreUse use,
            SegmentRecords records,
            Retention retention,
            Maintenance maintenance,
            long maxPageBytes) {
        this.maxPageBytes = maxPageBytes;
        this.system = system;
        this.layout = layout;
        this.datasets = datasets;
        this.readers = readers;
        this.indexes = indexes;
        this.verification = verification;
        this.offsets = offsets;
        this.locks = locks;
        this.use = use;
        this.records = records;
        this.retention = retention;
        this.maintenance = maintenance;
    }

    /** The dataset at a path. */
    public DatasetInfo get(String path) throws IOException {
        system.checkActive();
        return describe(datasets.require(OPERATION, path, FsAction.READ_EXECUTE));
    }

    /**
     * Datasets that the caller may read, in the order of paths.
     *
     * @param next the path after which the next page starts, or null for the last page
     */
    public record Page(List<DatasetInfo> datasets, @Nullable String next) {}

    /**
     * A page of all datasets that the caller may read. It ends by its size, or after a time; then it may be empty and not
     * the last one.
     *
     * @param after the path after which it starts; empty for the first page
     */
    public Page page(String after) throws IOException {
        system.checkActive();
        List<DatasetInfo> readable = new ArrayList<>();
        long endNs = system.clock().monotonicNowNanos() + PAGE_NS;
        long bytes = 0;
        for (List<DatasetRecord> step : LockSteps.parts(datasets.after(after), STEP)) {
            for (DatasetRecord dataset : readable(step)) {
                DatasetInfo info = describe(dataset);
                readable.add(info);
                bytes += bytes(info);
                if (bytes > maxPageBytes || system.clock().monotonicNowNanos() - endNs > 0) {
                    return new Page(readable, dataset.path());
                }
            }
            if (system.clock().monotonicNowNanos() - endNs > 0 || !CurrentCall.isWanted()) {
                return new Page(readable, step.get(step.size() - 1).path());
            }
        }
        return new Page(readable, null);
    }

    private List<DatasetRecord> readable(List<DatasetRecord> some) throws IOException {
        Set<String> paths = system.accessible(
                "mpsrListDatasets", some.stream().map(DatasetRecord::path).toList(), FsAction.READ_EXECUTE);
        return some.stream().filter(d -> paths.contains(d.path())).toList();
    }

    /** About how many bytes a description takes in an answer. */
    private static long bytes(DatasetInfo info) {
        return info.dataset().definition().getSerializedSize()
                + (long) PART_BYTES
                        * (1
                                + info.representations().size()
                                + info.offsets().size()
                                + info.maintenance().size());
    }

    /** Describes a dataset to a caller who may read the dataset directory. */
    public DatasetInfo describe(DatasetRecord dataset) throws IOException {
        return locks.look(dataset, () -> describe(dataset, indexes.of(dataset)));
    }

    private DatasetInfo describe(DatasetRecord dataset, DatasetIndex index) throws IOException {
        String denied = readers.denied(OPERATION, dataset);
        if (denied != null) {
            return untold(dataset, denied);
        }
        Map<String, String> problems = verification.problems(dataset, index);
        List<DatasetInfo.Representation> representations = new ArrayList<>();
        for (String name : dataset.groups().names()) {
            GroupIndex group = index.group(name);
            representations.add(new DatasetInfo.Representation(
                    name,
                    dataset.root(layout, name),
                    group.files(),
                    group.bytes(),
                    group.content(),
                    problems.getOrDefault(name, "")));
        }
        QuotaCounts store = system.read(() -> use.counted(dataset));
        return new DatasetInfo(
                dataset,
                representations,
                offsets.of(dataset),
                offsets.jumps(dataset),
                store.getNameSpace(),
                store.getStorageSpace(),
                records.last(dataset),
                index.group(dataset.defaultGroup()).segments(),
                retention.of(dataset),
                maintenance.runs(dataset),
                null);
    }

    private DatasetInfo untold(DatasetRecord dataset, String reason) throws IOException {
        List<DatasetInfo.Representation> representations = dataset.groups().names().stream()
                .map(g -> new DatasetInfo.Representation(g, dataset.root(layout, g), 0, 0, ContentHashes.EMPTY, reason))
                .toList();
        boolean writes = !system.accessible(OPERATION, List.of(dataset.path()), FsAction.WRITE_EXECUTE)
                .isEmpty();
        return new DatasetInfo(
                dataset,
                representations,
                writes ? offsets.of(dataset) : List.of(),
                writes ? offsets.jumps(dataset) : List.of(),
                0,
                0,
                0,
                0,
                Replaced.NONE,
                List.of(),
                reason);
    }
}
