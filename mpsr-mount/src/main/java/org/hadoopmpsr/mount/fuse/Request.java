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
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * One request of the kernel: a header, and a body that is read from its beginning to its end. Every read is checked: a request that is
 * shorter than its parts fails with {@code EINVAL}, and nothing beyond it is read. For one thread at a time.
 */
public final class Request {
    /** The bytes of the header. */
    public static final int HEADER = 40;

    private static final int UNIQUE_AT = 8;
    private static final int NODE_AT = 16;

    private final ByteBuffer bytes;

    private Request(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /**
     * A copy of the request that a buffer holds from its position to its limit.
     *
     * @throws ErrnoException if it is shorter than a header, or says that it has another length
     */
    public static Request copyOf(ByteBuffer buffer) throws ErrnoException {
        if (buffer.remaining() < HEADER) {
            throw new ErrnoException(Errno.EPROTO, "a request of " + buffer.remaining() + " bytes has no header");
        }
        ByteBuffer bytes = ByteBuffer.allocate(buffer.remaining()).order(ByteOrder.nativeOrder());
        bytes.put(buffer.duplicate()).flip();
        if (bytes.getInt(0) != bytes.limit()) {
            throw new ErrnoException(
                    Errno.EPROTO,
                    "a request of " + bytes.limit() + " bytes says that it has "
                            + Integer.toUnsignedString(bytes.getInt(0)));
        }
        bytes.position(HEADER);
        return new Request(bytes);
    }

    /** The number of what is asked for. */
    public int opcode() {
        return bytes.getInt(4);
    }

    /** The number of this request, which its answer repeats. */
    public long unique() {
        return bytes.getLong(UNIQUE_AT);
    }

    /** The node that it is about. */
    public long node() {
        return bytes.getLong(NODE_AT);
    }

    /** True for those that the kernel wants no answer to. */
    public boolean isWithoutAnswer() {
        return opcode() == Opcode.FORGET || opcode() == Opcode.BATCH_FORGET || opcode() == Opcode.INTERRUPT;
    }

    /** True if it takes the kernel's word that a request needs no answer any more. */
    public boolean isInterrupt() {
        return opcode() == Opcode.INTERRUPT;
    }

    /** True if it begins the conversation. */
    public boolean isInit() {
        return opcode() == Opcode.INIT;
    }

    /** True if it changes nothing, such that an answer that nobody waits for does no harm. */
    public boolean isWithoutEffect() {
        return switch (opcode()) {
            case Opcode.LOOKUP,
                    Opcode.GETATTR,
                    Opcode.READ,
                    Opcode.STATFS,
                    Opcode.GETXATTR,
                    Opcode.LISTXATTR,
                    Opcode.READDIR,
                    Opcode.READDIRPLUS,
                    Opcode.ACCESS -> true;
            default -> false;
        };
    }

    /** True if a part of a file is asked for, which {@link #handle}, {@link #offset} and {@link #size} describe. */
    public boolean isRead() {
        return opcode() == Opcode.READ && bytes.limit() >= HEADER + 40;
    }

    /** The handle of a read. */
    public long handle() {
        return bytes.getLong(HEADER);
    }

    /** The first byte of a read. */
    public long offset() {
        return bytes.getLong(HEADER + 8);
    }

    /** The bytes of a read. */
    public int size() {
        return bytes.getInt(HEADER + 16);
    }

    /** The next 64 bits. */
    public long u64() throws ErrnoException {
        return require(Long.BYTES).getLong();
    }

    /** The next 32 bits. */
    public int u32() throws ErrnoException {
        return require(Integer.BYTES).getInt();
    }

    /** Passes over what nobody needs here. */
    void skip(int count) throws ErrnoException {
        ByteBuffer rest = require(count);
        rest.position(rest.position() + count);
    }

    /** The next bytes, as a view on the request. */
    ByteBuffer data(int count) throws ErrnoException {
        ByteBuffer rest = require(count);
        ByteBuffer data = rest.slice();
        data.limit(count);
        rest.position(rest.position() + count);
        return data;
    }

    /**
     * The next name, which ends with a zero.
     *
     * @throws ErrnoException {@code ENOENT} if it is no text in UTF-8, as names of HDFS are
     */
    String name() throws ErrnoException {
        int start = bytes.position();
        int end = start;
        while (end < bytes.limit() && bytes.get(end) != 0) {
            end++;
        }
        if (end == bytes.limit()) {
            throw new ErrnoException(Errno.EINVAL, "a name of request " + opcode() + " has no end");
        }
        ByteBuffer name = bytes.duplicate();
        name.limit(end);
        bytes.position(end + 1);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(name).toString();
        } catch (CharacterCodingException e) {
            throw new ErrnoException(Errno.ENOENT, "a name is no text in UTF-8, as all names of HDFS are");
        }
    }

    private ByteBuffer require(int count) throws ErrnoException {
        if (count < 0 || bytes.remaining() < count) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a request " + opcode() + " of " + bytes.limit() + " bytes lacks " + count + " bytes at "
                            + bytes.position());
        }
        return bytes;
    }
}
