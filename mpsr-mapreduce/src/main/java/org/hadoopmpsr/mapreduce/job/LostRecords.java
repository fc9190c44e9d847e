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
package org.hadoopmpsr.mapreduce.job;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.degraded.OtherGroup;
import org.hadoopmpsr.client.degraded.PartRecords;
import org.hadoopmpsr.client.degraded.SourceAccess;
import org.hadoopmpsr.columnar.degraded.DegradedRead;
import org.hadoopmpsr.columnar.degraded.RecordFile;
import org.hadoopmpsr.columnar.degraded.SourceFiles;
import org.hadoopmpsr.core.degraded.LostFile;
import org.hadoopmpsr.core.degraded.RowRange;
import org.hadoopmpsr.core.degraded.SourceGroup;
import org.hadoopmpsr.core.degraded.Substitutes;
import org.hadoopmpsr.core.degraded.Substitutes.Planned;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.mapreduce.degraded.LostParts;
import org.hadoopmpsr.mapreduce.degraded.PlannedPart;

/** Asks the NameNode, in a task and as its user, which files have the records of a part, and writes them to a local file. */
public final class LostRecords implements LostParts {

    /** Made by its name. */
    public LostRecords() {}

    @Override
    public <T> OtherGroup<T> records(Configuration conf, PlannedPart part, LocalReader<T> reader) throws Exception {
        URI dataset = part.file().dataset();
        String root = dataset.getPath();
        Planned planned = new Planned(
                part.path().toUri().getPath(), part.file().length(), part.file().modificationTime());
        Dataset known;
        Substitutes substitutes;
        try (MpsrClient client = MpsrClient.create(conf, dataset)) {
            known = client.getDataset(root);
            substitutes = Substitutes.find(
                    known.groups(),
                    part.file().group(),
                    planned,
                    (group, segment) -> client.segmentFiles(root, group, List.of(segment)));
        }
        LostFile lost = substitutes.lost();
        RowRange rows = lost.rows(part.start(), part.length());
        SourceAccess access = new SourceAccess(dataset, known.schema(), lost, conf);
        SourceFiles files = file -> HadoopInputFile.fromStatus(access.published(file), conf);
        return OtherGroup.first(substitutes.sources(), access, false, source -> {
            Path local = newFile(conf);
            try {
                write(known, lost, source, files, rows, local);
                return new Temporary<>(reader.of(local.toFile()), local);
            } catch (Exception | Error e) {
                Files.deleteIfExists(local);
                throw e;
            }
        });
    }

    private static void write(
            Dataset known, LostFile lost, SourceGroup source, SourceFiles files, RowRange rows, Path local)
            throws IOException {
        List<Column> columns = known.groups().physicalColumns(lost.group().name(), known.schema());
        List<String> names = columns.stream().map(Column::name).toList();
        try (DegradedRead read = new DegradedRead(known.groups(), known.schema(), lost, source, files, names, rows)) {
            RecordFile.write(read, columns, lost.file().statistics().commitId(), new LocalOutputFile(local));
        }
    }

    /** A new file that only the task's user can read, in a directory that Hadoop has for tasks. */
    private static Path newFile(Configuration conf) throws IOException {
        String place = new LocalDirAllocator(MRConfig.LOCAL_DIR)
                .getLocalPathForWrite("mpsr", conf)
                .getParent()
                .toUri()
                .getPath();
        return Files.createTempFile(new File(place).toPath(), "mpsr-", ".parquet");
    }

    private record Temporary<T>(PartRecords<T> records, Path file) implements PartRecords<T> {
        @Override
        public boolean hasNext() throws Exception {
            return records.hasNext();
        }

        @Override
        public T next() throws Exception {
            return records.next();
        }

        @Override
        public void close() throws IOException {
            try {
                records.close();
            } finally {
                Files.deleteIfExists(file);
            }
        }
    }
}
