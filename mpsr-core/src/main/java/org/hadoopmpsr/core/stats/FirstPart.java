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
package org.hadoopmpsr.core.stats;

import java.util.OptionalInt;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.format.UnknownVersionException;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;

/**
 * What stands before the columns in a file's statistics.
 *
 * @param count the number of records
 * @param high the upper half of their content hash
 * @param low the lower half of their content hash
 */
record FirstPart(
        String fileName, long length, long modificationTime, long count, long high, long low, String commitId) {
    static FirstPart read(String fileName, CompactReader in) {
        StoredForm.FILE.check(in.octet(), fileName);
        if (in.fourBytes() != fileName.hashCode()) {
            throw new IllegalArgumentException("the statistics belong to a file that is not named '" + fileName + "'");
        }
        long length = in.number();
        long modificationTime = in.number();
        long count = in.number();
        long high = in.eightBytes();
        long low = in.eightBytes();
        int end = in.count() - 1;
        if (end > fileName.length()) {
            throw new IllegalArgumentException("the name '" + fileName + "' is too short for a commit's id");
        }
        String commitId = end < 0 ? in.text() : fileName.substring(0, end);
        return new FirstPart(fileName, length, modificationTime, count, high, low, commitId);
    }

    /** Reads the last sections: the hash of the blocks, and the kind of the content hash. */
    Header header(CompactReader in) {
        OptionalInt blocks = in.isAtEnd() ? OptionalInt.empty() : OptionalInt.of(in.fourBytes());
        HashKind kind = in.isAtEnd() ? HashKind.SHA_256 : kind(in.number());
        return new Header(length, modificationTime, new ContentHash(kind, count, high, low), commitId, blocks);
    }

    private HashKind kind(long number) {
        return HashKind.of(number)
                .orElseThrow(() -> new UnknownVersionException("cannot read the file statistics of '" + fileName
                        + "': their content hash has kind " + Long.toUnsignedString(number)
                        + ", which this MPSR does not know; a newer MPSR wrote it: run that version, or a later"
                        + " one, on every NameNode"));
    }
}
