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
 * The content hash of a set of records: their count and the sum modulo 2^128 of a hash of each record (Bellare and
 * Micciancio, "A New Paradigm for Collision-Free Hashing", 1997, AdHash). The order of the records does not matter, and
 * the hash of a union is the sum of the hashes. Hashes of different kinds do not mix: {@link ContentHashes} holds a set
 * whose records are hashed in several ways. The hash of no records is the same in every kind. Immutable.
 *
 * @param kind how records are hashed
 * @param count the number of records
 * @param high the upper 64 bits of the sum
 * @param low the lower 64 bits of the sum
 */
public record ContentHash(HashKind kind, long count, long high, long low) implements Serializable {
    /** The hash of no records. */
    public static final ContentHash EMPTY = new ContentHash(0, 0, 0);

    public ContentHash {
        if ((count | high | low) == 0) {
            kind = HashKind.SHA_256;
        }
    }

    /** A hash of kind {@link HashKind#SHA_256}. */
    public ContentHash(long count, long high, long low) {
        this(HashKind.SHA_256, count, high, low);
    }

    /** True for the hash of no records. */
    public boolean isEmpty() {
        return (count | high | low) == 0;
    }

    /**
     * The hash of both sets together.
     *
     * @throws IllegalArgumentException if both sets have records and the kinds differ
     */
    public ContentHash plus(ContentHash other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        if (kind != other.kind) {
            throw new IllegalArgumentException(
                    "content hashes of the kinds " + kind + " and " + other.kind + " have no sum");
        }
        long sum = low + other.low;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        return new ContentHash(kind, count + other.count, high + other.high + carry, sum);
    }

    /**
     * The hash of this set without the records of another one, which must be a part of it.
     *
     * @throws IllegalArgumentException if both sets have records and the kinds differ
     */
    public ContentHash minus(ContentHash other) {
        return plus(new ContentHash(other.kind, -other.count, ~other.high + (other.low == 0 ? 1 : 0), -other.low));
    }

    /** The sum as 32 hexadecimal digits. */
    public String hex() {
        return String.format("%016x%016x", high, low);
    }
}
