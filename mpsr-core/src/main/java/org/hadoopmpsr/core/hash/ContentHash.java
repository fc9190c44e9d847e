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

/**
 * The content hash of a set of records: their count and the sum modulo 2^128 of a strong hash of each record (Bellare
 * and Micciancio, "A New Paradigm for Collision-Free Hashing", 1997, AdHash). The order of the records does not
 * matter, and the hash of a union is the sum of the hashes. Immutable.
 *
 * @param count the number of records
 * @param high the upper 64 bits of the sum
 * @param low the lower 64 bits of the sum
 */
public record ContentHash(long count, long high, long low) {
    /** The hash of no records. */
    public static final ContentHash EMPTY = new ContentHash(0, 0, 0);

    /** The hash of both sets together. */
    public ContentHash plus(ContentHash other) {
        long sum = low + other.low;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        return new ContentHash(count + other.count, high + other.high + carry, sum);
    }

    /** The hash of this set without the records of another one, which must be a part of it. */
    public ContentHash minus(ContentHash other) {
        long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
        return new ContentHash(count - other.count, high - other.high - borrow, low - other.low);
    }

    /** The sum as 32 hexadecimal digits. */
    public String hex() {
        return String.format("%016x%016x", high, low);
    }
}
