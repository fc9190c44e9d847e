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

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.hadoopmpsr.catalog.table.GroupSpec;
import org.hadoopmpsr.client.FilesToRead;
import org.hadoopmpsr.columnar.compress.ReaderOptions;

/**
 * Files of the default group that no plan has: those of ordinary writers, and all files where a read is to be one of stock. How many
 * records a file has is read from its end, once. Safe for use by several threads.
 */
public final class DirectoryFiles {
    private static final int KEPT = 200_000;

    private final Cache<Known, Long> rows =
            Caffeine.newBuilder().maximumSize(KEPT).build();

    private record Known(String path, long length, long modificationTime) {}

    /**
     * All files that readers read below a directory, with the rights of the file system's user.
     *
     * @throws IOException if one of them is no Parquet file, among others
     */
    public List<PlannedFile> below(FileSystem fs, String directory, GroupSpec spec) throws IOException {
        List<FileStatus> found = new ArrayList<>();
        FilesToRead.below(fs, new Path(directory), found::add);
        List<PlannedFile> files = new ArrayList<>();
        for (FileStatus status : found) {
            files.add(file(fs, status, spec));
        }
        return files;
    }

    /** Some files. */
    public List<PlannedFile> of(FileSystem fs, List<String> paths, GroupSpec spec) throws IOException {
        List<PlannedFile> files = new ArrayList<>();
        for (String path : paths) {
            files.add(file(fs, fs.getFileStatus(new Path(path)), spec));
        }
        return files;
    }

    private PlannedFile file(FileSystem fs, FileStatus status, GroupSpec spec) throws IOException {
        String path = status.getPath().toUri().getPath();
        Known known = new Known(path, status.getLen(), status.getModificationTime());
        Long count = rows.getIfPresent(known);
        if (count == null) {
            count = count(fs, status);
            rows.put(known, count);
        }
        return new PlannedFile(spec, path, status.getLen(), count);
    }

    private static long count(FileSystem fs, FileStatus status) throws IOException {
        try (ParquetFileReader reader =
                ParquetFileReader.open(HadoopInputFile.fromStatus(status, fs.getConf()), ReaderOptions.ofOneReader())) {
            return reader.getRecordCount();
        } catch (RuntimeException e) { // what Parquet throws for a file that is none
            throw new IOException("the end of " + status.getPath() + " cannot be read: " + e.getMessage(), e);
        }
    }
}
