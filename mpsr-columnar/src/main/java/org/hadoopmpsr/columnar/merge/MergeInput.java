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
package org.hadoopmpsr.columnar.merge;

import java.io.IOException;
import org.apache.parquet.io.InputFile;
import org.hadoopmpsr.core.hash.ContentHash;

/**
 * A file whose records are merged.
 *
 * @param path names the file in messages
 * @param segment the id of the segment that it belongs to
 * @param content the content hash that is stated of it; other records end the merge
 */
public record MergeInput(String path, InputFile file, String segment, ContentHash content) {
    /**
     * Compares the number of records that were read with the one that is stated.
     *
     * @throws IOException if they differ
     */
    public void checkRows(long found) throws IOException {
        if (found != content.count()) {
            throw new IOException(path + " holds " + found + " records, and " + content.count()
                    + " are stated of it; it is damaged or its statistics are false: see 'verify'");
        }
    }

    /**
     * Compares what was read with what is stated.
     *
     * @throws IOException if they differ
     */
    public void check(ContentHash found) throws IOException {
        if (!found.equals(content)) {
            throw new IOException(path + " holds " + found.count() + " records with the content hash " + found.hex()
                    + ", and " + content.count() + " with " + content.hex()
                    + " are stated of it; it is damaged or its statistics are false: see 'verify'");
        }
    }
}
