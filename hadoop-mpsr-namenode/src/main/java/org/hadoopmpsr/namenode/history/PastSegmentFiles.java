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
package org.hadoopmpsr.namenode.history;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.segment.SegmentInfos.FilePart;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/** Tells the files of removed segments that are still kept, to users who may read all of a dataset. Thread-safe. */
public final class PastSegmentFiles {
    private static final String CALL = "mpsrGetSegmentFiles";
    private static final int MAX_FILES = 5_000;

    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final SegmentRecords records;
    private final PastFiles files;
    private final long maxPageBytes;

    public PastSegmentFiles(
            MpsrNamesystem system,
            Datasets datasets,
            DatasetReaders readers,
            SegmentRecords records,
            PastFiles files,
            long maxPageBytes) {
        this.system = system;
        this.datasets = datasets;
        this.readers = readers;
        this.records = records;
        this.files = files;
        this.maxPageBytes = maxPageBytes;
    }

    /**
     * A page of the files that a group had of removed segments, by the paths that they had.
     *
     * @param allColumns true for the statistics of all columns, false for those of none
     * @param from 0 for the first page, otherwise {@link FilePart#next} of the page before
     * @throws FileNotFoundException if a segment is not removed, or not known any more
     */
    public FilePart page(String path, String group, List<String> segments, boolean allColumns, long from)
            throws IOException {
        system.checkActive();
        DatasetRecord dataset = datasets.require(CALL, path, FsAction.READ_EXECUTE);
        readers.check(CALL, dataset);
        Map<String, Segment> removed = new HashMap<>();
        for (String id : segments) {
            Segment record = system.read(() -> records.get(dataset, id));
            if (record == null || record.isCurrent()) {
                throw new FileNotFoundException("the dataset " + path + " has no removed segment '" + id
                        + "'; it is current, or its files are not kept any more");
            }
            removed.put(id, record);
        }
        List<GroupFile> all = files.of(dataset, removed).getOrDefault(group, List.of());
        StatisticsCodec codec = new StatisticsCodec(dataset.schema());
        List<DataFile> page = new ArrayList<>();
        long bytes = 0;
        for (long at = from; at < all.size(); at++) {
            if (page.size() == MAX_FILES || bytes > maxPageBytes) {
                return new FilePart(page, at, 0);
            }
            GroupFile file = all.get((int) at);
            DataFile read = StoredStatistics.read(codec, file.directory(), file.file());
            if (read != null) {
                page.add(allColumns ? read : read.withColumns(Set.of()));
                bytes += FilePage.Limit.bytes(page.get(page.size() - 1));
            }
        }
        return new FilePart(page, FilePage.END, 0);
    }
}
