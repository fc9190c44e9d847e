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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The requests about a node and its attributes. */
final class NodeCalls {
    private static final int WITH_HANDLE = 1;
    /** Of Linux: no value and no list of names is longer. */
    private static final int MOST_OF_ATTRIBUTE = 1 << 16;

    private final Operations operations;

    NodeCalls(Operations operations) {
        this.operations = operations;
    }

    void getAttributes(Request request, ByteBuffer out) throws IOException {
        int flags = request.u32();
        request.skip(4);
        long handle = request.u64();
        operations
                .attributes(request.node(), (flags & WITH_HANDLE) == 0 ? 0 : handle)
                .putTimed(out);
    }

    void setAttributes(Request request, ByteBuffer out) throws IOException {
        AttributeChange change = AttributeChange.read(request, System.currentTimeMillis());
        operations.change(request.node(), change).putTimed(out);
    }

    void access(Request request) throws IOException {
        operations.access(request.node(), request.u32());
    }

    void statistics(Request request, ByteBuffer out) throws IOException {
        operations.statistics(request.node()).put(out);
    }

    void getExtended(Request request, ByteBuffer out) throws IOException {
        int room = request.u32();
        request.skip(4);
        value(operations.extendedAttribute(request.node(), request.name()), room, out);
    }

    void listExtended(Request request, ByteBuffer out) throws IOException {
        int room = request.u32();
        request.skip(4);
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String name : operations.extendedAttributes(request.node())) {
            names.write(name.getBytes(StandardCharsets.UTF_8));
            names.write(0);
        }
        value(names.toByteArray(), room, out);
    }

    void setExtended(Request request) throws IOException {
        int size = request.u32();
        int flags = request.u32();
        String name = request.name();
        byte[] value = new byte[size < 0 ? 0 : Math.min(size, MOST_OF_ATTRIBUTE)];
        request.data(size).get(value);
        operations.setExtendedAttribute(request.node(), name, value, flags);
    }

    void removeExtended(Request request) throws IOException {
        operations.removeExtendedAttribute(request.node(), request.name());
    }

    /** The value, or its length if the program has no room yet. */
    private static void value(byte[] value, int room, ByteBuffer out) throws ErrnoException {
        if (value.length > MOST_OF_ATTRIBUTE) {
            throw new ErrnoException(Errno.E2BIG, "a value of " + value.length + " bytes is too long for Linux");
        }
        if (room == 0) {
            out.putInt(value.length).putInt(0);
        } else if (Integer.compareUnsigned(room, value.length) < 0) {
            throw new ErrnoException(Errno.ERANGE, "the value has " + value.length + " bytes");
        } else {
            out.put(value);
        }
    }
}
