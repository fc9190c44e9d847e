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
package org.hadoopmpsr.columnar.merge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.layout.GroupLayout;
import org.hadoopmpsr.columnar.layout.GroupLayout.FileSlice;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileStatistics;

/** Segments as the sink writes them, in a local directory. */
final class Segments {
    private final Path directory;
    private final ReplicaGroups groups;

    Segments(Path directory, ReplicaGroups groups) {
        this.directory = directory;
        this.groups = groups;
    }

    /** A file of a segment. */
    record SegmentFile(Path path, FileStatistics statistics) {
        MergeInput input() {
            return new MergeInput(
                    path.toString(), new LocalInputFile(path), statistics.commitId(), statistics.content());
        }
    }

    /** Writes a group's files of a segment; returns them by their partition. */
    Map<List<Object>, SegmentFile> write(
            Schema schema, ReplicaGroup group, String segment, List<Map<String, Object>> records) throws Exception {
        RecordBuffer buffer = new RecordBuffer(schema);
        RandomRecords.append(buffer, groups, records);
        Map<List<Object>, SegmentFile> files = new LinkedHashMap<>();
        if (records.isEmpty()) {
            return files;
        }
        Batch batch = new Batch(buffer, groups);
        GroupLayout layout = batch.layout(group);
        GroupFileWriter writer = new GroupFileWriter(groups, group, schema);
        List<FileColumn> columns = writer.columns(batch);
        for (FileSlice slice : layout.files()) {
            Path path = path(group, writer.relativePath(slice.partition(), segment, 0));
            FileStatistics statistics = writer.write(
                            new LocalOutputFile(path),
                            columns,
                            writer.rows(batch, layout.order(), slice.from(), slice.to()),
                            slice.partition(),
                            slice.content(),
                            segment)
                    .statistics();
            files.put(slice.partition(), new SegmentFile(path, statistics));
        }
        return files;
    }

    /** The place of a group's file, whose directory is made. */
    Path path(ReplicaGroup group, String relativePath) throws IOException {
        Path path = directory.resolve(group.name()).resolve(relativePath);
        Files.createDirectories(path.getParent());
        return path;
    }

    /** Writes the records as several segments; returns a group's files by partition, in the order of the segments. */
    Map<List<Object>, List<SegmentFile>> split(
            Schema schema, ReplicaGroup group, List<Map<String, Object>> records, int[] ends) throws Exception {
        Map<List<Object>, List<SegmentFile>> files = new LinkedHashMap<>();
        int start = 0;
        for (int end : ends) {
            write(schema, group, "s" + end, records.subList(start, end))
                    .forEach((tuple, file) ->
                            files.computeIfAbsent(tuple, t -> new ArrayList<>()).add(file));
            start = end;
        }
        return files;
    }

    static ContentHash hash(Schema schema, HashKind kind, List<Map<String, Object>> records) {
        RecordHasher hasher = new RecordHasher(kind);
        for (Map<String, Object> record : records) {
            for (int i = 0; i < schema.columns().size(); i++) {
                hasher.put(i, record.get(schema.columns().get(i).name()));
            }
            hasher.endRecord();
        }
        return hasher.take();
    }
}
