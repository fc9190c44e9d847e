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

/** Changes the input of a job that is about to be submitted. */
public interface Redirect {

    /**
     * Changes the files in the job's staging directory, all or none.
     *
     * @param client the configuration of the client
     * @throws InconsistentJobException if some files were changed and could not be restored: the job must not run
     * @throws Exception if nothing was changed
     */
    Outcome apply(Path staging, Configuration client) throws Exception;

    /**
     * The result for the input of one job.
     *
     * @param redirection what was changed; null where the job stays as it is
     * @param left how many inputs with a filter stay unchanged: datasets, or 1 for the whole job. The log has the reason for
     *     each
     */
    record Outcome(@Nullable Redirection redirection, int left) {}

    /**
     * The change of a job's input.
     *
     * @param text what the job reads, and why
     * @param stockFiles files that the job would read without MPSR
     */
    record Redirection(String text, long stockFiles, long stockBytes, long files, long bytes) {}

    /** The staging directory holds parts of two jobs. */
    final class InconsistentJobException extends java.io.IOException {
        private static final long serialVersionUID = 1;

        public InconsistentJobException(Path staging, Throwable cause) {
            super(
                    "Redirecting the input of the job in " + staging + " failed, and so did restoring the files of the"
                            + " job. Submit the job again, with -Dmpsr.mapreduce.enabled=false if this fails again",
                    cause);
        }
    }
}
