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

/** The hash of the bytes of one record. Not thread-safe. */
interface RecordHash {
    /** Hashes the first bytes of an array. */
    void hash(byte[] bytes, int length);

    /** The upper 64 bits of the last hash. */
    long high();

    /** The lower 64 bits of the last hash. */
    long low();

    /** A hash of the kind. */
    static RecordHash of(HashKind kind) {
        return switch (kind) {
            case SHA_256 -> new Sha256Half();
            case XXH_128 -> new Xxh128();
        };
    }
}
