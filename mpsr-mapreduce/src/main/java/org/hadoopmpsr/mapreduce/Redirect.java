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
package org.hadoopmpsr.mapreduce;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Lets a job that is about to be submitted read other files. */
public interface Redirect {

    /**
     * Changes the files in the job's staging directory, all or none.
     *
     * @param client the configuration that the client was made with
     * @throws InconsistentJobException when some were changed and could not be changed back: the job must not run
     * @throws Exception when nothing was changed
     */
    Outcome apply(Path staging, Configuration client) throws Exception;

    /**
     * What became of a job's input.
     *
     * @param redirection what was changed; null where the job stays as it is
     * @param left how many inputs with a filter stay as they are, each for a reason that is logged: datasets, or all of
     *     the job at once
     */
    record Outcome(@Nullable Redirection redirection, int left) {}

    /**
     * A job that reads other files.
     *
     * @param text what it reads, and why
     * @param stockFiles files that it would read as without MPSR
     */
    record Redirection(String text, long stockFiles, long stockBytes, long files, long bytes) {}

    /** The staging directory holds parts of two jobs. */
    final class InconsistentJobException extends java.io.IOException {
        private static final long serialVersionUID = 1;

        public InconsistentJobException(Path staging, Throwable cause) {
            super(
                    "The input of the job in " + staging + " was to be redirected; that failed, and so did putting its"
                            + " files back. Submit the job again, with -Dmpsr.mapreduce.enabled=false if it fails again",
                    cause);
        }
    }
}
