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
package org.hadoopmpsr.core.adopt;

import java.util.concurrent.TimeUnit;

/**
 * When files are adopted, and how many of them at once.
 *
 * @param enoughBytes so many bytes are not kept waiting for more
 * @param enoughFiles neither are so many files
 * @param waitMs a file waits so long for others, so that small files become one segment
 * @param mostBytes of one change, unless a single file has more
 * @param mostFiles of one change
 */
public record AdoptionRules(long enoughBytes, int enoughFiles, long waitMs, long mostBytes, int mostFiles) {
    /** The NameNode takes no more files in one change. */
    public static final int MOST_FILES = 1_000;

    private static final int ENOUGH_FILES = 100;
    private static final long WAIT_MS = TimeUnit.SECONDS.toMillis(20);
    private static final int MOST_BLOCKS = 64;

    /** These rules, by which each file is due at once. */
    public AdoptionRules withoutWaiting() {
        return new AdoptionRules(enoughBytes, enoughFiles, 0, mostBytes, mostFiles);
    }

    /** Those of a dataset whose files are as long as a block. */
    public static AdoptionRules of(long blockBytes, int maxFiles) {
        return new AdoptionRules(
                blockBytes,
                ENOUGH_FILES,
                WAIT_MS,
                MOST_BLOCKS * blockBytes,
                Math.min(MOST_FILES, Math.max(1, maxFiles / 2)));
    }
}
