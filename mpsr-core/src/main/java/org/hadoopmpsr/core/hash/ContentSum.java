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

/** The sum of the hashes of records. Not thread-safe. */
public final class ContentSum {
    private final HashKind kind;
    private long count;
    private long high;
    private long low;

    /** @param kind how the records are hashed */
    public ContentSum(HashKind kind) {
        this.kind = kind;
    }

    /** Adds a record. */
    public void add(long moreHigh, long moreLow) {
        count++;
        low += moreLow;
        high += moreHigh + (Long.compareUnsigned(low, moreLow) < 0 ? 1 : 0);
    }

    /** The content hash of the records so far. */
    public ContentHash result() {
        return new ContentHash(kind, count, high, low);
    }
}
