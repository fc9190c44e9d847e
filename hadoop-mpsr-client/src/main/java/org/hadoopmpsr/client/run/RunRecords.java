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
package org.hadoopmpsr.client.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The records of the runs of a job: for each dataset one small file, which outlives the driver, in a directory such as
 * {@code .mpsr/compact} of the user's home directory in HDFS. Another file beside it asks a run to end. Safe for use by several threads.
 */
public final class RunRecords {
    private static final int MAX_BYTES = 1 << 16;

    private final JobKind kind;
    private final FileSystem fs;
    private final FileContext files;
    private final Path directory;

    /** @param directory an absolute path, or null for that in the user's home directory */
    public RunRecords(JobKind kind, FileSystem fs, Configuration conf, @Nullable String directory) throws IOException {
        this.kind = kind;
        this.fs = fs;
        this.files = FileContext.getFileContext(fs.getUri(), conf);
        this.directory = directory == null
                ? new Path(fs.getHomeDirectory(), ".mpsr/" + kind.directory())
                : fs.makeQualified(new Path(directory));
    }

    /** The job whose runs they are. */
    public JobKind kind() {
        return kind;
    }

    /** The file of a dataset's record. */
    public Path file(String datasetId) {
        return new Path(directory, datasetId + ".run");
    }

    private Path request(String datasetId) {
        return new Path(directory, datasetId + ".cancel");
    }

    /** The record of the dataset's last run; empty if there is none. */
    public Optional<RunRecord> read(String datasetId) throws IOException {
        try (FSDataInputStream in = fs.open(file(datasetId))) {
            return Optional.of(RunRecord.parse(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8)));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Replaces the dataset's record; who reads at that time reads the former one or this one. */
    public void write(String datasetId, RunRecord run) throws IOException {
        Path next = new Path(directory, datasetId + ".next");
        try {
            create(next, run.text());
            files.rename(next, file(datasetId), Options.Rename.OVERWRITE);
        } catch (IOException e) {
            throw new IOException(
                    "the record of the " + kind.noun() + " cannot be written to " + file(datasetId) + ": "
                            + e.getMessage()
                            + "; make the home directory of this user in HDFS, or name a directory that this user may"
                            + " write with --run-dir",
                    e);
        }
    }

    /** Asks the dataset's run to end. */
    public void requestCancel(String datasetId) throws IOException {
        create(request(datasetId), "");
    }

    /** Whether the run is asked to end. */
    public boolean isCancelRequested(String datasetId) throws IOException {
        return fs.exists(request(datasetId));
    }

    /** Forgets that a run was asked to end. */
    public void clearCancel(String datasetId) throws IOException {
        fs.delete(request(datasetId), false);
    }

    private void create(Path file, String text) throws IOException {
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
