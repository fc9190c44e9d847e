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
package org.hadoopmpsr.catalog.append;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.write.HdfsFile;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.flush.FlushCodecs;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.layout.GroupLayout;
import org.hadoopmpsr.columnar.layout.GroupLayout.FileSlice;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;

/** The files of a commit in all groups, written part by part as memory holds. For one thread. */
final class StagedRecords {
    private final FileSystem fs;
    private final String dataset;
    private final ReplicaGroups groups;
    private final String commitId;
    private final BegunCommit begun;
    private final List<StagedFile> files = new ArrayList<>();
    private long records;

    /** @param dataset tells datasets apart whose columns get codecs by {@code auto} */
    StagedRecords(FileSystem fs, String dataset, ReplicaGroups groups, String commitId, BegunCommit begun) {
        this.fs = fs;
        this.dataset = dataset;
        this.groups = groups;
        this.commitId = commitId;
        this.begun = begun;
    }

    /** Writes what is buffered to files of all groups. The buffer is empty then. */
    void write(RecordBuffer buffer) throws IOException, AppendException {
        if (buffer.rows() == 0) {
            return;
        }
        Batch batch = new Batch(buffer, groups);
        for (ReplicaGroup group : groups.groups()) {
            GroupLayout layout = batch.layout(group);
            if (files.size() + layout.files().size() > begun.maxFiles()) {
                throw AppendException.wrong("The append makes more than " + begun.maxFiles()
                        + " files in all groups, which a commit may have (dfs.mpsr.commit.max.files); append records of"
                        + " fewer partitions at once");
            }
            GroupFileWriter writer = new GroupFileWriter(groups, group, buffer.schema())
                    .withCodecs(FlushCodecs.OF_PROCESS.pages(dataset));
            var columns = writer.columns(layout.records());
            for (FileSlice slice : layout.files()) {
                String path = writer.relativePath(slice.partition(), commitId, files.size());
                GroupFileWriter.WrittenFile written = FlushCodecs.OF_PROCESS.write(
                        new HdfsFile(fs, new Path(begun.stagingDir() + "/" + group.name() + "/" + path)),
                        group.codec(),
                        file -> writer.write(
                                file,
                                columns,
                                writer.rows(layout.records(), layout.order(), slice.from(), slice.to()),
                                slice.partition(),
                                slice.content(),
                                commitId));
                files.add(new StagedFile(group.name(), path, written.statistics(), written.bytes()));
            }
        }
        records += buffer.rows();
        buffer.clear();
    }

    /** All files that are written. */
    List<StagedFile> files() {
        return files;
    }

    /** The number of records, each counted once. */
    long records() {
        return records;
    }
}
