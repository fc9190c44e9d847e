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
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.hadoopmpsr.catalog.table.DatasetTable;

/**
 * Says planned files as data files of Iceberg.
 *
 * @param fileSystem the URI before the paths of files
 */
public record DataFilesOf(DatasetTable table, String fileSystem) {

    /** @throws IOException if the file lacks columns, and its directories do not tell them either */
    public DataFile of(PlannedFile file) throws IOException {
        Optional<StructLike> partition = file.spec().partition(file.path());
        if (partition.isEmpty() && file.spec().isDefault() && file.spec().spec().isPartitioned()) {
            throw new IOException("the directories of " + file.path() + " name no partition of replica group '"
                    + file.spec().group().name() + "'");
        }
        PartitionSpec spec = partition.isPresent() ? file.spec().spec() : table.undivided();
        DataFiles.Builder data = DataFiles.builder(spec)
                .withPath(fileSystem + file.path())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(file.length())
                .withRecordCount(file.rows());
        if (spec.isPartitioned()) {
            data.withPartition(partition.orElseThrow());
        }
        return data.build();
    }
}
