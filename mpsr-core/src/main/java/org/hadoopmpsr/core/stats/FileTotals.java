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

import org.hadoopmpsr.core.hash.Mix64;

/**
 * The totals of a representation, and a fingerprint of its files.
 *
 * @param files the number of files
 * @param bytes the sum of their lengths
 * @param fingerprint the sum modulo 2^64 of a hash of each file's path and length; the order of the files does not
 *     matter
 */
public record FileTotals(long files, long bytes, long fingerprint) {
    /** The totals of no files. */
    public static final FileTotals EMPTY = new FileTotals(0, 0, 0);

    private static final long ODD = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

    /**
     * These totals with one more file.
     *
     * @param path absolute, without scheme and authority, without URI escapes
     */
    public FileTotals plus(String path, long length) {
        return new FileTotals(files + 1, bytes + length, fingerprint + hash(path, length));
    }

    /** These totals without one of their files; see {@link #plus}. */
    public FileTotals minus(String path, long length) {
        return new FileTotals(files - 1, bytes - length, fingerprint - hash(path, length));
    }

    /** These totals without some of their files. */
    public FileTotals minus(FileTotals some) {
        return new FileTotals(files - some.files, bytes - some.bytes, fingerprint - some.fingerprint);
    }

    /** The totals as text for users. */
    public String text() {
        return files + " files, " + bytes + " bytes";
    }

    /**
     * Each step is invertible. Texts of equal length that differ in one character therefore always have different
     * hashes.
     */
    private static long hash(String path, long length) {
        long hash = Mix64.of(length);
        for (int i = 0; i < path.length(); i++) {
            hash = (hash ^ path.charAt(i)) * ODD;
            hash ^= hash >>> 32;
        }
        return Mix64.of(hash + path.length());
    }
}
