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
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.hadoop.HadoopInputFile;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.hadoopmpsr.catalog.table.WritePlace;

/** The files that a client has written for an append, with the rights of the caller. Nothing else is read. */
final class CallerFiles implements FileIO {
    private static final long serialVersionUID = 1L;

    private final transient FileSystem fs;
    private final WritePlace place;

    CallerFiles(FileSystem fs, WritePlace place) {
        this.fs = fs;
        this.place = place;
    }

    /**
     * One of them.
     *
     * @throws AppendException if it lies elsewhere
     */
    FileStatus status(String file) throws IOException, AppendException {
        return fs.getFileStatus(path(file));
    }

    private Path path(String file) throws AppendException {
        if (!place.has(file)) {
            throw AppendException.wrong("The file " + file + " does not lie in " + place.root()
                    + ", where the table's properties write.data.path and write.metadata.path let you write; load the table anew, and leave"
                    + " these properties as they are");
        }
        return new Path(file);
    }

    /** Opens one of them, as it was listed. */
    InputFile open(FileStatus status) {
        return HadoopInputFile.fromStatus(status, fs);
    }

    @Override
    public InputFile newInputFile(String file) {
        try {
            return open(status(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (AppendException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public OutputFile newOutputFile(String file) {
        throw new UnsupportedOperationException("not written here: " + file);
    }

    @Override
    public void deleteFile(String file) {
        throw new UnsupportedOperationException("not deleted here: " + file);
    }
}
