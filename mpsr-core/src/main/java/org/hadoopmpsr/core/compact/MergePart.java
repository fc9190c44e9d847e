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
package org.hadoopmpsr.core.compact;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a merge that lies in one partition of a replica group: sorted files that become one sorted file, or several
 * that follow one another. No other part reads or writes in its directory, therefore parts are done in any order and at one
 * time.
 *
 * @param number the number of the part in its merge, from 0
 * @param directory as in {@link SegmentFile}
 * @param files at least one, in the order of their segments
 */
public record MergePart(int number, String group, String directory, List<SegmentFile> files) implements Serializable {
    public MergePart {
        files = List.copyOf(files);
    }

    /** The partition tuple, which is that of all its files. */
    public List<@Nullable Object> partition() {
        return files.get(0).partition();
    }

    public long bytes() {
        return files.stream().mapToLong(SegmentFile::length).sum();
    }
}
