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
import java.nio.charset.StandardCharsets;

/** A request as the kernel writes it. */
public final class RequestBytes {
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 17).order(ByteOrder.nativeOrder());

    private RequestBytes(int opcode, long unique, long node) {
        bytes.putInt(0).putInt(opcode).putLong(unique).putLong(node);
        bytes.putInt(0).putInt(0).putInt(0).putInt(0);
    }

    /** With a header for this node and the number 7. */
    public static RequestBytes of(int opcode, long node) {
        return new RequestBytes(opcode, 7, node);
    }

    public RequestBytes u64(long value) {
        bytes.putLong(value);
        return this;
    }

    public RequestBytes u32(int... values) {
        for (int value : values) {
            bytes.putInt(value);
        }
        return this;
    }

    public RequestBytes name(String name) {
        return raw(name.getBytes(StandardCharsets.UTF_8)).raw(new byte[1]);
    }

    public RequestBytes raw(byte[] value) {
        bytes.put(value);
        return this;
    }

    public Request request() throws ErrnoException {
        bytes.putInt(0, bytes.position());
        ByteBuffer all = bytes.duplicate().order(ByteOrder.nativeOrder());
        all.flip();
        return Request.copyOf(all);
    }
}
