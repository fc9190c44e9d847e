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
package org.hadoopmpsr.namenode.plan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.plan.UsableGroups.Usability;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a plan that a client keeps would be made again. A token has two parts: a digest of the <i>state</i>,
 * which is everything that the choice of group and files depends on, and the places of the files' replicas. For the
 * most recently planned states, the ids of the files are remembered, and their replicas are looked up again. Tokens of
 * another NameNode, or of this one before its start, match no state. Thread-safe.
 */
final class PlanTokens {
    /** The maximum number of files in a plan with a token. */
    private static final int MAX_FILES = 200_000;
    /** The maximum number of remembered ids, which take 16 MB. */
    private static final long MAX_REMEMBERED = 2_000_000;
    /** The weight of a state without files, in ids. */
    private static final int EMPTY = 30;

    private static final int STATE_BYTES = 32;

    private final FileBlocks fileBlocks;
    private final byte[] nameNode = bytes(UUID.randomUUID().toString());
    private final Map<ByteString, long[]> byState = new LinkedHashMap<>(16, 0.75f, true);
    private long remembered;

    PlanTokens(FileBlocks fileBlocks) {
        this.fileBlocks = fileBlocks;
    }

    /**
     * The state that a plan would be made on now.
     *
     * @param usable what the caller can be given to read
     */
    ByteString state(PlanRequest request, DatasetRecord dataset, DatasetIndex index, Usability usable) {
        MessageDigest digest = sha256();
        add(digest, nameNode);
        add(digest, dataset.storedDefinition());
        add(digest, bytes(index.path()));
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, index.generation()));
        new TreeMap<>(usable.excluded()).forEach((group, reason) -> {
            add(digest, bytes(group));
            add(digest, bytes(reason));
        });
        new TreeMap<>(usable.damaged()).forEach((group, look) -> {
            add(digest, bytes(group));
            add(digest, bytes(look.problem()));
            add(digest, bytes(sorted(look.damagedFiles())));
            add(digest, bytes(sorted(look.incompleteSegments())));
        });
        usable.ordinary().added().forEach(path -> add(digest, bytes(path)));
        add(digest, bytes(sorted(usable.ordinary().deleted())));
        add(digest, bytes(sorted(usable.ordinary().segments())));
        add(digest, request.question().toByteArray());
        return ByteString.copyFrom(digest.digest());
    }

    /**
     * True if a plan with this token would be made again in this state, and its files can be read at the same places.
     */
    boolean holds(ByteString token, ByteString state) throws IOException {
        if (!token.startsWith(state) || token.size() != STATE_BYTES + Long.BYTES) {
            return false;
        }
        long[] files = remembered(state);
        if (files == null) {
            return false;
        }
        OptionalLong places = fileBlocks.places(files);
        return places.isPresent() && token.equals(token(state, places.getAsLong()));
    }

    /**
     * The token of a plan. Must be called before the plan's blocks are looked up; the token is then never newer than
     * the blocks.
     *
     * @return null if the plan must not be kept
     */
    @Nullable
    ByteString issue(ByteString state, List<DataFile> files) throws IOException {
        if (files.size() > MAX_FILES) {
            return null;
        }
        long[] ids = files.stream().mapToLong(DataFile::fileId).toArray();
        OptionalLong places = fileBlocks.places(ids);
        if (places.isEmpty()) {
            return null;
        }
        remember(state, ids);
        return token(state, places.getAsLong());
    }

    /** The ids of the files of a plan that was made in this state; empty if they are not remembered. */
    long[] filesOf(ByteString state) {
        long[] files = remembered(state);
        return files == null ? new long[0] : files.clone();
    }

    private synchronized long @Nullable [] remembered(ByteString state) {
        return byState.get(state);
    }

    private synchronized void remember(ByteString state, long[] ids) {
        long[] before = byState.put(state, ids);
        remembered += ids.length + (before == null ? EMPTY : -before.length);
        Iterator<long[]> eldest = byState.values().iterator();
        while (remembered > MAX_REMEMBERED) {
            remembered -= eldest.next().length + EMPTY;
            eldest.remove();
        }
    }

    private static ByteString token(ByteString state, long places) {
        return state.concat(ByteString.copyFrom(ByteBuffer.allocate(Long.BYTES).putLong(0, places)));
    }

    /** Adds a value with its length, because the next value must not be taken for a part of it. */
    private static void add(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
        digest.update(part);
    }

    private static <T extends Comparable<T>> String sorted(@Nullable Set<T> items) {
        return items == null ? "" : String.valueOf(new TreeSet<>(items));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
