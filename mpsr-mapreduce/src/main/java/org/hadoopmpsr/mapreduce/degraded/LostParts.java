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
package org.hadoopmpsr.mapreduce.degraded;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.client.degraded.OtherGroup;
import org.hadoopmpsr.client.degraded.PartRecords;

/** Gets the records of parts of files that cannot be read, with the job's Parquet. */
public interface LostParts {
    /** Opens a local Parquet file, all of which is read. */
    @FunctionalInterface
    interface LocalReader<T> {
        PartRecords<T> of(File file) throws Exception;
    }

    /**
     * The records of a part from the first group that can give them. They are written to a local file of the task, which is
     * deleted when they are closed.
     *
     * @param conf the task's, with the scheme of {@link org.hadoopmpsr.client.degraded.PlannedFileSystem}
     * @throws Exception that says why, if no group can give them
     */
    <T> OtherGroup<T> records(Configuration conf, PlannedPart part, LocalReader<T> reader) throws Exception;
}
