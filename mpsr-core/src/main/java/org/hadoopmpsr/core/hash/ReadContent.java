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
package org.hadoopmpsr.core.hash;

import java.io.Serializable;

/**
 * The content of records that were read. Files are hashed in the ways of the versions that wrote them; records that are
 * written anew are hashed in one way, and what was read of older files is hashed in that way too, to be compared with them.
 * Immutable.
 *
 * @param stated of all of the records, each hashed in the way that is stated of the record's file
 * @param rehashed of the records of files that are hashed in another way, hashed as new files are; empty if there are none, or
 *     if nobody did it
 */
public record ReadContent(ContentHashes stated, ContentHash rehashed) implements Serializable {
    /** That of no records. */
    public static final ReadContent EMPTY = new ReadContent(ContentHashes.EMPTY, ContentHash.EMPTY);

    /** @throws IllegalArgumentException if only some of the records are hashed as new files are */
    public ReadContent {
        long others = stated.count() - stated.get(rehashed.kind()).count();
        if (!rehashed.isEmpty() && rehashed.count() != others) {
            throw new IllegalArgumentException(
                    "of " + others + " records that were read of files with another kind of hash, " + rehashed.count()
                            + " are hashed as new files are");
        }
    }

    /** That of both sets together. */
    public ReadContent plus(ReadContent more) {
        return new ReadContent(stated.plus(more.stated), rehashed.plus(more.rehashed));
    }

    /** That of the records alone that are hashed in both ways. */
    public ReadContent onlyRehashed() {
        return rehashed.isEmpty()
                ? EMPTY
                : new ReadContent(stated.minus(ContentHashes.of(stated.get(rehashed.kind()))), rehashed);
    }

    /** The hash of the records as new files that hold them are hashed; where nobody did it, as is stated. */
    public ContentHashes asWritten() {
        return rehashed.isEmpty()
                ? stated
                : ContentHashes.of(stated.get(rehashed.kind()).plus(rehashed));
    }
}
