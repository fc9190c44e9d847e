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
package org.hadoopmpsr.client.scrub;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.scrub.ScrubState;
import org.jspecify.annotations.Nullable;

/** What scrubs have done so far: for each dataset a file beside the record of the last run. */
public final class ScrubRecords {
    private final FileSystem fs;
    private final FileContext files;
    private final RunRecords runs;

    /** @param directory as for {@link RunRecords} */
    public ScrubRecords(FileSystem fs, Configuration conf, @Nullable String directory) throws IOException {
        this.fs = fs;
        this.files = FileContext.getFileContext(fs.getUri(), conf);
        this.runs = new RunRecords(JobKind.SCRUB, fs, conf, directory);
    }

    private Path file(String datasetId) {
        return new Path(runs.file(datasetId).getParent(), datasetId + ".scrubbed");
    }

    /**
     * The state of a dataset; a new one if there is none.
     *
     * @throws IOException if it cannot be read; the message says what to do
     */
    public ScrubState read(String datasetId) throws IOException {
        try (FSDataInputStream in = fs.open(file(datasetId));
                DataInputStream data = new DataInputStream(new BufferedInputStream(new GZIPInputStream(in)))) {
            return ScrubState.read(data);
        } catch (FileNotFoundException e) {
            return new ScrubState();
        } catch (IOException e) {
            throw new IOException(
                    "what scrubs have done cannot be read from " + file(datasetId) + ": " + e.getMessage()
                            + "; read it with a newer MPSR, or delete the file: then all segments count as not read",
                    e);
        }
    }

    /** Replaces the state; who reads at that time reads the former one or this one. */
    public void write(String datasetId, ScrubState state) throws IOException {
        Path next = new Path(runs.file(datasetId).getParent(), datasetId + ".scrubbed-next");
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(fs.create(next, true)))) {
            state.write(out);
        }
        files.rename(next, file(datasetId), Options.Rename.OVERWRITE);
    }
}
