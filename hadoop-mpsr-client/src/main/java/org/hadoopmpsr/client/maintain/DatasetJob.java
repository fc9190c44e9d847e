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
package org.hadoopmpsr.client.maintain;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecords;
import org.jspecify.annotations.Nullable;

/** The Spark job of a kind of maintenance, which runs in one dataset after the other. Thread-safe. */
public final class DatasetJob {
    private final FileSystem fs;
    private final RunRecords records;
    private final List<String> options;
    private final Command command;

    /** The command line of the Spark job. */
    @FunctionalInterface
    public interface Command {
        /**
         * Makes it.
         *
         * @param options what the job takes
         * @param dataset the dataset directory, with the scheme
         * @throws IOException if Spark or the jar is missing
         */
        List<String> of(List<String> options, String dataset) throws IOException;
    }

    /**
     * @param runDir the directory of the records of runs, or null for that of the user
     * @param options what the job takes
     */
    DatasetJob(
            JobKind kind,
            FileSystem fs,
            Configuration conf,
            @Nullable String runDir,
            List<String> options,
            Command command)
            throws IOException {
        this.fs = fs;
        this.records = new RunRecords(kind, fs, conf, runDir);
        this.options = options;
        this.command = command;
    }

    /** True for any run of this user, and for some minutes after the loss of its driver. */
    boolean isUnderway(Dataset dataset) throws IOException {
        return records.read(dataset.id())
                .filter(run -> run.isAlive(System.currentTimeMillis()))
                .isPresent();
    }

    /** The next run in a dataset. The record that there is now is not taken for that of the run. */
    JobRun next(Dataset dataset) throws IOException {
        String before = records.read(dataset.id()).map(RunRecord::application).orElse("");
        String uri = fs.makeQualified(new Path(dataset.path())).toString();
        return new JobRun(records, dataset.id(), before, () -> command.of(options, uri));
    }
}
