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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A directory with the files {@code f0}, {@code f1}, …, each with the same bytes, that remembers what it was told. */
final class FakeOperations implements Operations {
    static final byte[] CONTENT = "0123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    final List<String> calls = new ArrayList<>();
    final int files;
    byte[] attribute = new byte[0];

    FakeOperations(int files) {
        this.files = files;
    }

    static Attributes file(long inode) {
        return new Attributes(inode, 10, 1_001, -1, Attributes.FILE | 0640, 1, 11, 12, 4096);
    }

    static Attributes directory() {
        return new Attributes(1, 0, 0, 0, Attributes.DIRECTORY | 0755, 2, 11, 12, 4096);
    }

    private Entry said(String call, long node) {
        calls.add(call);
        return new Entry(node, file(node));
    }

    @Override
    public Entry lookup(long parent, String name) throws IOException {
        if (!name.startsWith("f")) {
            throw new FileNotFoundException(name);
        }
        return said("lookup " + parent + " " + name, 10 + Integer.parseInt(name.substring(1)));
    }

    @Override
    public void forget(long node, long count) {
        calls.add("forget " + node + " " + count);
    }

    @Override
    public Attributes attributes(long node, long handle) {
        calls.add("attributes " + node + " " + handle);
        return file(node);
    }

    @Override
    public Attributes change(long node, AttributeChange change) {
        calls.add("change " + node + " " + change);
        return file(node);
    }

    @Override
    public Entry makeDirectory(long parent, String name, int mode) {
        return said("makeDirectory " + parent + " " + name + " " + Integer.toOctalString(mode), 20);
    }

    @Override
    public Entry makeFile(long parent, String name, int mode) {
        return said("makeFile " + parent + " " + name + " " + Integer.toOctalString(mode), 20);
    }

    @Override
    public void unlink(long parent, String name) {
        calls.add("unlink " + parent + " " + name);
    }

    @Override
    public void removeDirectory(long parent, String name) {
        calls.add("removeDirectory " + parent + " " + name);
    }

    @Override
    public void rename(long parent, String name, long newParent, String newName, boolean replace) {
        calls.add("rename " + parent + " " + name + " " + newParent + " " + newName + " " + replace);
    }

    @Override
    public Opened open(long node, int flags) {
        calls.add("open " + node + " " + flags);
        return new Opened(5, Opened.Cache.KEEP);
    }

    @Override
    public Created create(long parent, String name, int mode, int flags) {
        return new Created(
                said("create " + parent + " " + name + " " + Integer.toOctalString(mode) + " " + flags, 20),
                new Opened(6, Opened.Cache.RENEW));
    }

    @Override
    public void read(long handle, long offset, ByteBuffer into, boolean inSequence) {
        calls.add("read " + handle + " " + offset + " " + into.remaining() + " " + inSequence);
        int from = (int) Math.min(offset, CONTENT.length);
        into.put(CONTENT, from, Math.min(into.remaining(), CONTENT.length - from));
    }

    @Override
    public void write(long handle, long offset, ByteBuffer bytes) {
        byte[] written = new byte[bytes.remaining()];
        bytes.get(written);
        calls.add(
                "write " + handle + " " + offset + " " + new String(written, java.nio.charset.StandardCharsets.UTF_8));
    }

    @Override
    public void flush(long handle) {
        calls.add("flush " + handle);
    }

    @Override
    public void sync(long handle) {
        calls.add("sync " + handle);
    }

    @Override
    public void release(long handle) {
        calls.add("release " + handle);
    }

    @Override
    public long openDirectory(long node) {
        calls.add("openDirectory " + node);
        return 8;
    }

    @Override
    public void list(long handle, long from, DirectoryBuffer into) {
        for (long next = from; next < files && into.hasRoomFor("f" + next); next++) {
            Attributes attributes = file(10 + next);
            into.add("f" + next, attributes, into.wantsEntries() ? new Entry(10 + next, attributes) : null, next + 1);
        }
    }

    @Override
    public void releaseDirectory(long handle) {
        calls.add("releaseDirectory " + handle);
    }

    @Override
    public byte[] extendedAttribute(long node, String name) {
        calls.add("extendedAttribute " + node + " " + name);
        return attribute;
    }

    @Override
    public Collection<String> extendedAttributes(long node) {
        return List.of("user.a", "user.b");
    }

    @Override
    public void setExtendedAttribute(long node, String name, byte[] value, int flags) {
        calls.add("set " + node + " " + name + " " + value.length + " " + flags);
    }

    @Override
    public void removeExtendedAttribute(long node, String name) {
        calls.add("remove " + node + " " + name);
    }

    @Override
    public void access(long node, int mask) throws IOException {
        if (mask == 2) {
            throw new ErrnoException(Errno.EROFS, "read only");
        }
        if (mask == 1) {
            throw new IllegalStateException("a fault of the server");
        }
    }

    @Override
    public Statistics statistics(long node) {
        return new Statistics(10L << 40, 3L << 30);
    }
}
