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

/** The requests about names in directories. */
final class NameCalls {
    private static final int NO_REPLACE = 1;
    private static final int KIND = 0170000;

    private final Operations operations;

    NameCalls(Operations operations) {
        this.operations = operations;
    }

    void lookup(Request request, ByteBuffer out) throws IOException {
        operations.lookup(request.node(), request.name()).put(out);
    }

    void forget(Request request) throws IOException {
        operations.forget(request.node(), request.u64());
    }

    void forgetSeveral(Request request) throws IOException {
        int count = request.u32();
        request.skip(4);
        for (int i = 0; i < count; i++) {
            operations.forget(request.u64(), request.u64());
        }
    }

    void makeDirectory(Request request, ByteBuffer out) throws IOException {
        int mode = request.u32();
        request.skip(4);
        operations.makeDirectory(request.node(), request.name(), mode).put(out);
    }

    void makeFile(Request request, ByteBuffer out) throws IOException {
        int mode = request.u32();
        request.skip(12);
        String name = request.name();
        if ((mode & KIND) != Attributes.FILE && (mode & KIND) != 0) {
            throw new ErrnoException(Errno.EPERM, "HDFS has files and directories only");
        }
        operations.makeFile(request.node(), name, mode).put(out);
    }

    void unlink(Request request) throws IOException {
        operations.unlink(request.node(), request.name());
    }

    void removeDirectory(Request request) throws IOException {
        operations.removeDirectory(request.node(), request.name());
    }

    void rename(Request request, boolean withFlags) throws IOException {
        long newParent = request.u64();
        int flags = withFlags ? request.u32() : 0;
        if (withFlags) {
            request.skip(4);
        }
        String name = request.name();
        String newName = request.name();
        if ((flags & ~NO_REPLACE) != 0) {
            throw new ErrnoException(Errno.EINVAL, "HDFS does not exchange files");
        }
        operations.rename(request.node(), name, newParent, newName, (flags & NO_REPLACE) == 0);
    }

    void create(Request request, ByteBuffer out) throws IOException {
        int flags = request.u32();
        int mode = request.u32();
        request.skip(8);
        Operations.Created created = operations.create(request.node(), request.name(), mode, flags);
        created.entry().put(out);
        created.opened().put(out);
    }
}
