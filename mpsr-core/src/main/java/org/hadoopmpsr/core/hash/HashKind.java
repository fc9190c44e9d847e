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

import java.util.Optional;

/** How the records of a content hash are hashed. {@code docs/format.md} specifies each kind. */
public enum HashKind {
    /** The first 16 bytes of the SHA-256 of a record. What files have that say nothing of their kind. */
    SHA_256,
    /** XXH128, which is several times cheaper, and detects faults but not adversaries. */
    XXH_128;

    /** The kind of new files. */
    public static final HashKind CURRENT = XXH_128;

    /** The number of the kind in what is stored and sent. */
    public int number() {
        return ordinal();
    }

    /** The kind of a number; empty when this MPSR does not know it. */
    public static Optional<HashKind> of(long number) {
        return number >= 0 && number < values().length ? Optional.of(values()[(int) number]) : Optional.empty();
    }
}
