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
import java.nio.ByteOrder;
import java.util.function.Function;

/** Serves requests: reads each, calls the operation, and writes the answer. Safe for use by several threads. */
public final class Dispatcher {
    /** The bytes before an answer's body. */
    static final int ANSWER_HEADER = 16;
    /** The bytes of a buffer that has room for any answer. */
    public static final int ANSWER_BYTES = ANSWER_HEADER + Handshake.MOST_BYTES;
    /** The bytes of a buffer that has room for any request. */
    public static final int REQUEST_BYTES = Handshake.MOST_BYTES + 4096;
    /** The bytes of the longest read. */
    public static final int MOST_BYTES = Handshake.MOST_BYTES;

    private final NodeCalls nodes;
    private final NameCalls names;
    private final HandleCalls handles;
    private final Function<Throwable, Errno> errors;

    /**
     * Serves by these operations.
     *
     * @param errors the error number for an exception that is no {@link ErrnoException}
     */
    public Dispatcher(Operations operations, Function<Throwable, Errno> errors) {
        this.nodes = new NodeCalls(operations);
        this.names = new NameCalls(operations);
        this.handles = new HandleCalls(operations);
        this.errors = errors;
    }

    /** A buffer for answers. */
    public static ByteBuffer answerBuffer() {
        return ByteBuffer.allocateDirect(ANSWER_BYTES).order(ByteOrder.nativeOrder());
    }

    /**
     * Serves one request.
     *
     * @param inSequence of a read, see {@link Operations#read}
     * @param out is filled with the answer, from its beginning; empty if the kernel wants none
     */
    public void serve(Request request, boolean inSequence, ByteBuffer out) {
        out.clear();
        out.position(ANSWER_HEADER);
        int error = 0;
        try {
            call(request, inSequence, out);
        } catch (ErrnoException e) {
            error = e.errno().number();
        } catch (IOException | RuntimeException | Error e) {
            error = errors.apply(e).number();
        }
        if (request.isWithoutAnswer()) {
            out.position(0).limit(0);
        } else {
            finish(request.unique(), error, out);
        }
    }

    /** Fills a buffer with an answer that says that a request fails. */
    public static void fail(long unique, Errno errno, ByteBuffer out) {
        out.clear();
        finish(unique, errno.number(), out);
    }

    private static void finish(long unique, int error, ByteBuffer out) {
        if (error != 0) {
            out.clear();
            out.position(ANSWER_HEADER);
        }
        out.flip();
        out.putInt(0, out.limit());
        out.putInt(4, -error);
        out.putLong(8, unique);
    }

    private void call(Request request, boolean inSequence, ByteBuffer out) throws IOException {
        switch (request.opcode()) {
            case Opcode.INIT -> Handshake.answer(request, out);
            case Opcode.LOOKUP -> names.lookup(request, out);
            case Opcode.FORGET -> names.forget(request);
            case Opcode.BATCH_FORGET -> names.forgetSeveral(request);
            case Opcode.MKNOD -> names.makeFile(request, out);
            case Opcode.MKDIR -> names.makeDirectory(request, out);
            case Opcode.UNLINK -> names.unlink(request);
            case Opcode.RMDIR -> names.removeDirectory(request);
            case Opcode.RENAME -> names.rename(request, false);
            case Opcode.RENAME2 -> names.rename(request, true);
            case Opcode.CREATE -> names.create(request, out);
            case Opcode.GETATTR -> nodes.getAttributes(request, out);
            case Opcode.SETATTR -> nodes.setAttributes(request, out);
            case Opcode.ACCESS -> nodes.access(request);
            case Opcode.STATFS -> nodes.statistics(request, out);
            case Opcode.GETXATTR -> nodes.getExtended(request, out);
            case Opcode.LISTXATTR -> nodes.listExtended(request, out);
            case Opcode.SETXATTR -> nodes.setExtended(request);
            case Opcode.REMOVEXATTR -> nodes.removeExtended(request);
            case Opcode.OPEN -> handles.open(request, out);
            case Opcode.READ -> handles.read(request, out, inSequence);
            case Opcode.WRITE -> handles.write(request, out);
            case Opcode.FLUSH -> handles.flush(request);
            case Opcode.FSYNC -> handles.sync(request);
            case Opcode.RELEASE -> handles.release(request);
            case Opcode.OPENDIR -> handles.openDirectory(request, out);
            case Opcode.READDIR -> handles.list(request, out, false);
            case Opcode.READDIRPLUS -> handles.list(request, out, true);
            case Opcode.RELEASEDIR -> handles.releaseDirectory(request);
            case Opcode.FSYNCDIR, Opcode.DESTROY, Opcode.INTERRUPT -> {}
            case Opcode.SYMLINK, Opcode.LINK -> throw new ErrnoException(Errno.EPERM, "HDFS has no links");
            case Opcode.FALLOCATE -> throw new ErrnoException(Errno.EOPNOTSUPP, "HDFS reserves no room for files");
            default -> throw new ErrnoException(Errno.ENOSYS, "request " + request.opcode() + " is not known here");
        }
    }
}
