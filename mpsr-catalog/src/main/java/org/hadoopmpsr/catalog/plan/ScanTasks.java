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
package org.hadoopmpsr.catalog.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.GroupSpec;
import org.hadoopmpsr.client.ReadPlan;

/** Says the files of a plan as tasks of Iceberg. A task keeps the whole filter: clients look at each record. */
public final class ScanTasks {
    private static final DeleteFile[] NO_DELETES = {};

    private final DatasetTable table;
    private final String fileSystem;
    private final Expression filter;
    private final String schema;

    /** @param fileSystem the URI before the paths of files */
    public ScanTasks(DatasetTable table, String fileSystem, Expression filter) {
        this.table = table;
        this.fileSystem = fileSystem;
        this.filter = filter;
        this.schema = SchemaParser.toJson(table.schema());
    }

    /** A file of a group. */
    public record PlannedFile(GroupSpec spec, String path, long length, long rows) {}

    /** The files of a plan, in its order. */
    public List<PlannedFile> files(ReadPlan plan) {
        List<PlannedFile> files = new ArrayList<>();
        for (ReadPlan.Part part : plan.parts()) {
            GroupSpec spec = table.spec(part.group()).orElseThrow();
            part.files().forEach(file -> files.add(new PlannedFile(spec, file.path(), file.length(), file.rows())));
        }
        return files;
    }

    /** @throws IOException if the directories of the file name no partition */
    public FileScanTask task(PlannedFile file) throws IOException {
        DataFiles.Builder builder = DataFiles.builder(file.spec().spec())
                .withPath(fileSystem + file.path())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(file.length())
                .withRecordCount(file.rows());
        if (file.spec().spec().isPartitioned()) {
            Optional<StructLike> partition = file.spec().partition(file.path());
            builder.withPartition(partition.orElseThrow(
                    () -> new IOException("the directories of " + file.path() + " name no partition of replica group '"
                            + file.spec().group().name() + "'")));
        }
        DataFile data = builder.build();
        return new BaseFileScanTask(
                data,
                NO_DELETES,
                schema,
                PartitionSpecParser.toJson(file.spec().spec()),
                ResidualEvaluator.unpartitioned(filter));
    }
}
