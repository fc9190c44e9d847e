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
package org.hadoopmpsr.core.files;

import java.util.List;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/** Files of a representation that planning may prune together, usually those of one partition. */
public interface PartitionFiles {

    /** The statistics of all records of these files together, or null if they are unknown. */
    default @Nullable FileStatistics summary() {
        return null;
    }

    /** An upper limit of the number of files, known without evaluating them. */
    default int atMost() {
        return files().size();
    }

    /** The files in a fixed order. A file may be built anew at each access. */
    List<DataFile> files();
}
