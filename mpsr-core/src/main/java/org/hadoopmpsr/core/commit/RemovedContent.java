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
package org.hadoopmpsr.core.commit;

import java.io.Serializable;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.ReadContent;

/**
 * The records of a group that a rewrite takes away, as the writer of the new files has read them. Immutable.
 *
 * @param stated of all of the records, each hashed in the way that is stated of the record's file
 * @param rehashed the records of files that are hashed in another way than new files; by the path of the files' directory
 *     below the group's root, empty for the root itself
 */
public record RemovedContent(ContentHashes stated, Map<String, ReadContent> rehashed) implements Serializable {
    /** That of no records. */
    public static final RemovedContent EMPTY = new RemovedContent(ContentHashes.EMPTY, Map.of());

    public RemovedContent {
        rehashed = Map.copyOf(rehashed);
    }

    /** That of records that were read in a directory below the group's root. */
    public static RemovedContent of(String directory, ReadContent read) {
        return new RemovedContent(
                read.stated(), read.rehashed().isEmpty() ? Map.of() : Map.of(directory, read.onlyRehashed()));
    }

    /** That of several sets of records of one group together. */
    public static RemovedContent sum(Collection<RemovedContent> parts) {
        ContentHashes stated = ContentHashes.EMPTY;
        Map<String, ReadContent> rehashed = new HashMap<>();
        for (RemovedContent part : parts) {
            stated = stated.plus(part.stated);
            part.rehashed.forEach((directory, read) -> rehashed.merge(directory, read, ReadContent::plus));
        }
        return new RemovedContent(stated, rehashed);
    }

    /** The hash of the records as new files that hold them are hashed; where nobody did it, as is stated. */
    public ContentHashes asWritten() {
        ContentHashes sum = stated;
        for (ReadContent read : rehashed.values()) {
            sum = sum.minus(read.stated()).plus(read.asWritten());
        }
        return sum;
    }
}
