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
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.adopt.AdoptOptions;
import org.hadoopmpsr.client.run.ChangeLimits;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.core.adopt.AdoptionPlanner;
import org.hadoopmpsr.core.adopt.UntrackedFile;

/** Takes files of ordinary writers for segments, with a Spark job. */
public final class AdoptTask implements MaintenanceTask {
    /** The name of the task. */
    public static final String NAME = "adopt";

    private final FileSource files;
    private final FileSystem fs;
    private final int maxFiles;
    private final AdoptOptions options;
    private final DatasetJob job;

    /** Where the untracked files of a dataset come from. */
    public interface FileSource {
        /** The files that ordinary writers have put into the dataset at a path. */
        List<UntrackedFile> of(String path) throws IOException;
    }

    public AdoptTask(
            FileSource files, FileSystem fs, Configuration conf, AdoptOptions options, DatasetJob.Command command)
            throws IOException {
        this.files = files;
        this.fs = fs;
        this.maxFiles = ChangeLimits.maxFiles(conf);
        this.options = options;
        this.job = new DatasetJob(JobKind.ADOPT, fs, conf, options.runDir(), options.toArguments(), command);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Until then, queries read the files of ordinary writers as stock does. */
    @Override
    public boolean isPressing() {
        return true;
    }

    @Override
    public boolean isUnderway(Dataset dataset) throws IOException {
        return job.isUnderway(dataset);
    }

    /** Files that do not fit are not due until they change, and none are while the adoption is paused. */
    @Override
    public Optional<Work> due(Dataset dataset) throws IOException {
        if (dataset.adoptionPaused()) {
            return Optional.empty();
        }
        List<List<UntrackedFile>> changes = AdoptionPlanner.plan(
                files.of(dataset.path()), options.rules(fs.getDefaultBlockSize(new Path(dataset.path())), maxFiles));
        return changes.isEmpty() ? Optional.empty() : Optional.of(new Adoptions(changes, job.next(dataset)));
    }

    private record Adoptions(List<List<UntrackedFile>> changes, JobRun job) implements Work {
        @Override
        public String text() {
            List<UntrackedFile> all = changes.stream().flatMap(List::stream).toList();
            return "adoption of " + all.size() + " files of ordinary writers, "
                    + all.stream().mapToLong(UntrackedFile::length).sum() + " bytes";
        }

        @Override
        public Result run(Consumer<String> progress) throws IOException, InterruptedException {
            return job.run(progress);
        }
    }
}
