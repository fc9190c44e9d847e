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

import java.io.IOException;
import java.nio.ByteBuffer;

/** The requests about open files and directories. */
final class HandleCalls {
    private final Operations operations;

    HandleCalls(Operations operations) {
        this.operations = operations;
    }

    void open(Request request, ByteBuffer out) throws IOException {
        operations.open(request.node(), request.u32()).put(out);
    }

    void read(Request request, ByteBuffer out, boolean inSequence) throws IOException {
        long handle = request.u64();
        long offset = request.u64();
        int size = request.u32();
        if (offset < 0 || size < 0) {
            throw new ErrnoException(Errno.EINVAL, "a read of " + size + " bytes at " + offset);
        }
        limit(out, size);
        operations.read(handle, offset, out, inSequence);
    }

    void write(Request request, ByteBuffer out) throws IOException {
        long handle = request.u64();
        long offset = request.u64();
        int size = request.u32();
        request.skip(20);
        ByteBuffer data = request.data(size);
        operations.write(handle, offset, data);
        out.putInt(size).putInt(0);
    }

    void flush(Request request) throws IOException {
        operations.flush(request.u64());
    }

    void sync(Request request) throws IOException {
        operations.sync(request.u64());
    }

    void release(Request request) throws IOException {
        operations.release(request.u64());
    }

    void openDirectory(Request request, ByteBuffer out) throws IOException {
        new Opened(operations.openDirectory(request.node()), Opened.Cache.RENEW).put(out);
    }

    void list(Request request, ByteBuffer out, boolean withAttributes) throws IOException {
        long handle = request.u64();
        long from = request.u64();
        int size = request.u32();
        if (from < 0 || size < 0) {
            throw new ErrnoException(Errno.EINVAL, "a list of " + size + " bytes from " + from);
        }
        limit(out, size);
        operations.list(handle, from, new DirectoryBuffer(out, withAttributes));
    }

    void releaseDirectory(Request request) throws IOException {
        operations.releaseDirectory(request.u64());
    }

    private static void limit(ByteBuffer out, int size) {
        out.limit(out.position() + Math.min(size, out.remaining()));
    }
}
