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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * A file of a segment, as a merge reads it.
 *
 * @param segment the id of the segment
 * @param group the replica group
 * @param directory the directory of its partition below the group's root, as {@code day=2017-05-01/system=CRYO}; empty in a
 *     group without predicates
 * @param partition its partition tuple, a value for each predicate of the group
 * @param path absolute, without scheme
 * @param length in bytes
 * @param content the content hash that is stated of its records
 */
public record SegmentFile(
        String segment,
        String group,
        String directory,
        List<@Nullable Object> partition,
        String path,
        long length,
        ContentHash content)
        implements Serializable {
    public SegmentFile {
        partition = Collections.unmodifiableList(new ArrayList<>(partition));
    }
}
