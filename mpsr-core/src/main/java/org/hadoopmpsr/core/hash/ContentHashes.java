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
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The content hash of a set whose records may be hashed in several ways: a {@link ContentHash} for each kind that has
 * records. Equal for equal sets of records where each record is hashed in one known way. Immutable.
 */
public final class ContentHashes implements Serializable {
    /** The hash of no records. */
    public static final ContentHashes EMPTY = new ContentHashes(new EnumMap<>(HashKind.class));

    private final Map<HashKind, ContentHash> byKind;

    private ContentHashes(Map<HashKind, ContentHash> byKind) {
        this.byKind = Collections.unmodifiableMap(byKind);
    }

    /** The hash of a set whose records are all hashed in one way. */
    public static ContentHashes of(ContentHash hash) {
        return EMPTY.plus(hash);
    }

    /** The hash of several sets together. */
    public static ContentHashes of(Collection<ContentHash> hashes) {
        return hashes.stream().reduce(EMPTY, ContentHashes::plus, ContentHashes::plus);
    }

    /** The hash of both sets together. */
    public ContentHashes plus(ContentHash more) {
        if (more.isEmpty()) {
            return this;
        }
        EnumMap<HashKind, ContentHash> sum = new EnumMap<>(HashKind.class);
        sum.putAll(byKind);
        sum.put(more.kind(), get(more.kind()).plus(more));
        sum.values().removeIf(ContentHash::isEmpty);
        return new ContentHashes(sum);
    }

    /** The hash of both sets together. */
    public ContentHashes plus(ContentHashes more) {
        ContentHashes sum = this;
        for (ContentHash hash : more.byKind.values()) {
            sum = sum.plus(hash);
        }
        return sum;
    }

    /** The hash of this set without the records of a part of it. */
    public ContentHashes minus(ContentHashes part) {
        ContentHashes rest = this;
        for (ContentHash hash : part.byKind.values()) {
            rest = rest.plus(ContentHash.EMPTY.minus(hash));
        }
        return rest;
    }

    /** The number of records. */
    public long count() {
        return byKind.values().stream().mapToLong(ContentHash::count).sum();
    }

    /** The hash of the records that are hashed in this way. */
    public ContentHash get(HashKind kind) {
        return byKind.getOrDefault(kind, ContentHash.EMPTY);
    }

    /** The hashes that are not empty, in the order of their kinds. */
    public Collection<ContentHash> all() {
        return byKind.values();
    }

    /** The hash if all records are hashed in one way; empty if they are not. */
    public Optional<ContentHash> single() {
        return byKind.size() > 1
                ? Optional.empty()
                : Optional.of(byKind.values().stream().findFirst().orElse(ContentHash.EMPTY));
    }

    /** The sums as hexadecimal digits, in the order of their kinds, with a plus between them. */
    public String hex() {
        return byKind.isEmpty()
                ? ContentHash.EMPTY.hex()
                : byKind.values().stream().map(ContentHash::hex).collect(Collectors.joining("+"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ContentHashes hashes && byKind.equals(hashes.byKind);
    }

    @Override
    public int hashCode() {
        return byKind.hashCode();
    }

    @Override
    public String toString() {
        return byKind.values().toString();
    }
}
