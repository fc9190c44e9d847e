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
package org.hadoopmpsr.namenode.segment;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.ChangedMeanwhileException;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.segment.SegmentSurvey.Files;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Describes the current segments of datasets, page by page, to users who may read all of a dataset. Thread-safe.
 */
public final class SegmentInfos {
    private static final int MAX_SEGMENTS = 1_000;
    private static final int MAX_FILES = 5_000;

    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final Indexes indexes;
    private final DatasetLocks locks;
    private final SegmentRecords records;
    private final SegmentChecks checks;
    private final long maxPageBytes;
    /** The last one that was asked for: the first one takes a look at each file, and it is asked for page by page. */
    private volatile SoftReference<SegmentSurvey> last = new SoftReference<>(null);

    public SegmentInfos(
            MpsrNamesystem system,
            Datasets datasets,
            DatasetReaders readers,
            Indexes indexes,
            DatasetLocks locks,
            SegmentRecords records,
            long maxPageBytes) {
        this.system = system;
        this.datasets = datasets;
        this.readers = readers;
        this.indexes = indexes;
        this.locks = locks;
        this.records = records;
        this.checks = new SegmentChecks(system);
        this.maxPageBytes = maxPageBytes;
    }

    /**
     * Some segments, in the order of their ids.
     *
     * @param next the id after which the next page starts, or null for the last page
     * @param sequence the number of the last change; 0 if the dataset does not count its changes
     */
    public record Page(List<SegmentInfo> segments, @Nullable String next, String datasetId, long sequence) {}

    /**
     * A page of the current segments.
     *
     * @param after the id after which it starts; empty for the first page
     * @param limit the maximum number of segments; 0 for as many as one page may have
     */
    public Page page(String path, String after, int limit) throws IOException {
        DatasetRecord dataset = readable("mpsrGetSegments", path);
        SegmentSurvey survey = survey("mpsrGetSegments", dataset);
        NavigableMap<String, Files> rest = survey.bySegment().tailMap(after, false);
        int most = limit <= 0 ? MAX_SEGMENTS : Math.min(limit, MAX_SEGMENTS);
        List<SegmentInfo> segments = new ArrayList<>();
        String next = null;
        for (Map.Entry<String, Files> entry : rest.entrySet()) {
            if (segments.size() == most) {
                next = segments.get(most - 1).segment().id();
                break;
            }
            segments.add(info(dataset, entry.getKey(), entry.getValue()));
        }
        return new Page(segments, next, dataset.id(), records.last(dataset));
    }

    private SegmentInfo info(DatasetRecord dataset, String id, Files files) throws IOException {
        Segment record = system.read(() -> records.get(dataset, id));
        Segment known = record == null ? Segment.uncounted(id, files.newestMs(), files.held()) : record;
        SegmentChecks.Finding finding = checks.look(dataset, files, record);
        return new SegmentInfo(
                known.holding(files.held()),
                files.held()
                        .getOrDefault(dataset.defaultGroup(), Segment.Group.EMPTY)
                        .content(),
                recorded(dataset, record),
                files.newestFile(),
                finding.problem(),
                finding.rights());
    }

    private static @Nullable ContentHash recorded(DatasetRecord dataset, @Nullable Segment record) {
        return record == null
                ? null
                : record.groups()
                        .getOrDefault(dataset.defaultGroup(), Segment.Group.EMPTY)
                        .content();
    }

    /**
     * Some files.
     *
     * @param next the position of the next page, or -1 for the last page
     */
    public record FilePart(List<DataFile> files, long next, long generation) {}

    /**
     * A page of the files of segments in one group, with the statistics of the columns by which the group sorts. The segments
     * come in the given order.
     *
     * @param allColumns true for the statistics of all columns
     * @param from 0 for the first page, otherwise {@link FilePart#next} of the page before
     * @param generation that of the first page, or 0 for the first page
     * @throws ChangedMeanwhileException if the dataset has changed since the first page
     */
    public FilePart files(
            String path, String group, List<String> segments, boolean allColumns, long from, long generation)
            throws IOException {
        DatasetRecord dataset = readable("mpsrGetSegmentFiles", path);
        ReplicaGroup its = dataset.groups()
                .find(group)
                .orElseThrow(() -> new IllegalArgumentException("there is no replica group '" + group + "' in "
                        + dataset.groups().names()));
        SegmentSurvey survey = survey("mpsrGetSegmentFiles", dataset);
        if (generation != 0 && survey.index().generation() != generation) {
            throw new ChangedMeanwhileException(
                    "the dataset " + path + " has changed since the first page; ask for the files again");
        }
        Set<String> columns = its.sortColumns(dataset.schema()).stream()
                .map(c -> c.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        List<DataFile> page = new ArrayList<>();
        long position = 0;
        long bytes = 0;
        for (String segment : segments) {
            Files files = survey.bySegment().get(segment);
            if (files == null) {
                throw new FileNotFoundException("the dataset " + path + " has no current segment '" + segment
                        + "'; it was replaced, or never published");
            }
            List<GroupFile> all = files.of(group);
            if (position + all.size() <= from) {
                position += all.size();
                continue;
            }
            for (GroupFile file : all) {
                if (position >= from) {
                    if (page.size() == MAX_FILES || bytes > maxPageBytes) {
                        return new FilePart(page, position, survey.index().generation());
                    }
                    DataFile read = read(survey.index(), file);
                    read = allColumns ? read : read.withColumns(columns);
                    page.add(read);
                    bytes += FilePage.Limit.bytes(read);
                }
                position++;
            }
        }
        return new FilePart(page, FilePage.END, survey.index().generation());
    }

    private static DataFile read(DatasetIndex index, GroupFile file) {
        DataFile read = StoredStatistics.read(index.codec(), file.directory(), file.file());
        if (read == null) {
            throw new ChangedMeanwhileException("the statistics of " + file.directory() + "/"
                    + file.file().getLocalName() + " were changed in this moment; ask again");
        }
        return read;
    }

    private DatasetRecord readable(String operation, String path) throws IOException {
        system.checkActive();
        return datasets.require(operation, path, FsAction.READ_EXECUTE);
    }

    /** The present segments, for a caller who may read all of the dataset. */
    private SegmentSurvey survey(String operation, DatasetRecord dataset) throws IOException {
        DatasetIndex index = locks.look(dataset, () -> indexes.of(dataset));
        readers.check(operation, dataset);
        SegmentSurvey known = last.get();
        if (known != null && known.isOf(index)) {
            return known;
        }
        SegmentSurvey made = known == null ? SegmentSurvey.of(index) : known.after(index);
        last = new SoftReference<>(made);
        return made;
    }
}
