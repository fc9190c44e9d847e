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

/**
 * What merges are allowed and worth their work.
 *
 * @param targetBytes the most bytes that a merged segment has in a replica group; a segment of half of them is full, and
 *     is merged no more
 * @param fileBytes about the size at which a merged file ends and the next one begins
 * @param growth how many times larger than the largest of its segments a merge must be. A record is therefore rewritten at
 *     most {@code log(targetBytes / bytes of a commit) / log(growth)} times, and once more when a segment becomes full
 * @param maxSegments the most segments of one merge
 * @param maxNewFiles the most files that a merge writes, in all groups together
 * @param maxOldFiles the most files that a merge replaces, in all groups together
 * @param maxDirectoryFiles the most files that a merge writes and replaces in one directory
 * @param beforeMs only segments of changes that were published before this time are merged, in milliseconds since the
 *     epoch
 * @param all to merge all that fits into the target, without regard to growth
 */
public record MergeRules(
        long targetBytes,
        long fileBytes,
        double growth,
        int maxSegments,
        int maxNewFiles,
        int maxOldFiles,
        int maxDirectoryFiles,
        long beforeMs,
        boolean all) {
    /** The default target, in files of the default size. */
    public static final int TARGET_FILES = 64;
    /** The least target, in bytes. */
    public static final long LEAST_TARGET = 1 << 20;

    private static final double GROWTH = 4;
    private static final int DIRECTORY_FILES = 100;
    private static final int OLD_FILES = 100_000;

    public MergeRules {
        if (targetBytes < LEAST_TARGET || fileBytes < 1) {
            throw new IllegalArgumentException("a target of " + targetBytes + " bytes and files of " + fileBytes
                    + " bytes cannot be: the least target is " + LEAST_TARGET + " bytes");
        }
        if (growth < 2 || maxSegments < 2 || maxNewFiles < 1 || maxOldFiles < 2 || maxDirectoryFiles < 3) {
            throw new IllegalArgumentException("no merge keeps these rules: growth " + growth + ", " + maxSegments
                    + " segments, " + maxNewFiles + " new files, " + maxOldFiles + " old files, " + maxDirectoryFiles
                    + " files of a directory");
        }
    }

    /**
     * The usual rules.
     *
     * @param blockBytes the size of an HDFS block; a file ends after about so many bytes
     * @param maxFiles the most files that a change may have
     */
    public static MergeRules of(long blockBytes, int maxFiles) {
        return new MergeRules(
                Math.max(LEAST_TARGET, TARGET_FILES * blockBytes),
                blockBytes,
                GROWTH,
                DIRECTORY_FILES - 1,
                maxFiles,
                OLD_FILES,
                DIRECTORY_FILES,
                Long.MAX_VALUE,
                false);
    }

    /** With another target. */
    public MergeRules withTarget(long bytes) {
        return new MergeRules(
                bytes, fileBytes, growth, maxSegments, maxNewFiles, maxOldFiles, maxDirectoryFiles, beforeMs, all);
    }

    /** Only for what was published before a time, in milliseconds since the epoch. */
    public MergeRules before(long timeMs) {
        return new MergeRules(
                targetBytes, fileBytes, growth, maxSegments, maxNewFiles, maxOldFiles, maxDirectoryFiles, timeMs, all);
    }

    /** With another number of new files. */
    public MergeRules withMaxNewFiles(int files) {
        return new MergeRules(
                targetBytes, fileBytes, growth, maxSegments, files, maxOldFiles, maxDirectoryFiles, beforeMs, all);
    }

    /** Without regard to growth. */
    public MergeRules mergingAll() {
        return new MergeRules(
                targetBytes,
                fileBytes,
                growth,
                maxSegments,
                maxNewFiles,
                maxOldFiles,
                maxDirectoryFiles,
                beforeMs,
                true);
    }

    /** How many files so many bytes of one partition become, about. */
    public long filesOf(long bytes) {
        return bytes / fileBytes + (bytes % fileBytes == 0 ? 0 : 1);
    }

    /** Whether a segment of so many bytes in a group is merged no more. */
    boolean isFull(long bytes) {
        return bytes >= targetBytes / 2;
    }

    /** Whether a merge into so many bytes is worth the work, when its largest segment has so many. */
    boolean pays(long mergedBytes, long largestBytes) {
        double grown = mergedBytes / (double) Math.max(1, largestBytes);
        return grown >= growth || (isFull(mergedBytes) && grown >= 2);
    }
}
