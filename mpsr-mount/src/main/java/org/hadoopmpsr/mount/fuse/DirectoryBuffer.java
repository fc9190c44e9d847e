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
package org.hadoopmpsr.mount.fuse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The part of a directory's list that fits into an answer. */
public final class DirectoryBuffer {
    private static final int FIXED = 24;
    private static final int ALIGNED = 8;

    private final ByteBuffer out;
    private final boolean withAttributes;

    DirectoryBuffer(ByteBuffer out, boolean withAttributes) {
        this.out = out;
        this.withAttributes = withAttributes;
    }

    /** True if the kernel takes attributes with the names, and counts an entry for each. */
    public boolean wantsEntries() {
        return withAttributes;
    }

    /** True if a name fits. */
    public boolean hasRoomFor(String name) {
        return out.remaining() >= size(name.getBytes(StandardCharsets.UTF_8).length);
    }

    /**
     * Adds a name, for which there is room.
     *
     * @param attributes of what the name leads to
     * @param entry counted by the kernel; null if it takes none, or for the directory itself and the one above
     * @param next where the list goes on after this name
     */
    public void add(String name, Attributes attributes, @Nullable Entry entry, long next) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        int end = out.position() + size(utf8.length);
        if (withAttributes) {
            (entry == null ? new Entry(0, attributes) : entry).put(out);
        }
        out.putLong(attributes.inode()).putLong(next).putInt(utf8.length).putInt(attributes.kind());
        out.put(utf8);
        while (out.position() < end) {
            out.put((byte) 0);
        }
    }

    private int size(int nameBytes) {
        int padded = (nameBytes + ALIGNED - 1) / ALIGNED * ALIGNED;
        return (withAttributes ? Entry.BYTES : 0) + FIXED + padded;
    }
}
