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

/** The first request, in which kernel and server agree on a version and on what both can. */
final class Handshake {
    /** The most bytes of a read or write. */
    static final int MOST_BYTES = 1 << 20;

    private static final int MAJOR = 7;
    private static final int MINOR = 31;
    /** Older kernels take a shorter answer. */
    private static final int OLDEST_MINOR = 23;

    private static final int ASYNC_READ = 1;
    private static final int ATOMIC_O_TRUNC = 1 << 3;
    private static final int BIG_WRITES = 1 << 5;
    private static final int AUTO_INVAL_DATA = 1 << 12;
    private static final int DO_READDIRPLUS = 1 << 13;
    private static final int READDIRPLUS_AUTO = 1 << 14;
    private static final int ASYNC_DIO = 1 << 15;
    private static final int PARALLEL_DIROPS = 1 << 18;
    private static final int MAX_PAGES = 1 << 22;

    /** What the server can. Whoever adds a bit must answer what the kernel asks then. */
    static final int FLAGS = ASYNC_READ
            | ATOMIC_O_TRUNC
            | BIG_WRITES
            | AUTO_INVAL_DATA
            | DO_READDIRPLUS
            | READDIRPLUS_AUTO
            | ASYNC_DIO
            | PARALLEL_DIROPS
            | MAX_PAGES;

    private static final short MOST_IN_BACKGROUND = 64;
    private static final short CONGESTED = 48;
    private static final int TIME_NS = 1_000_000;
    private static final int PAGE = 4096;

    private Handshake() {}

    static void answer(Request request, ByteBuffer out) throws ErrnoException {
        int major = request.u32();
        int minor = request.u32();
        if (major < MAJOR || (major == MAJOR && minor < OLDEST_MINOR)) {
            throw new ErrnoException(
                    Errno.EPROTO,
                    "the kernel speaks version " + major + "." + minor + " of FUSE; " + MAJOR + "." + OLDEST_MINOR
                            + " is the oldest that is known here");
        }
        out.putInt(MAJOR).putInt(MINOR);
        if (major > MAJOR) {
            // the kernel asks again with this version
            out.putLong(0)
                    .putLong(0)
                    .putLong(0)
                    .putLong(0)
                    .putLong(0)
                    .putLong(0)
                    .putLong(0);
            return;
        }
        request.skip(4);
        int flags = request.u32();
        out.putInt(MOST_BYTES).putInt(flags & FLAGS);
        out.putShort(MOST_IN_BACKGROUND).putShort(CONGESTED);
        out.putInt(MOST_BYTES).putInt(TIME_NS);
        out.putShort((short) ((flags & MAX_PAGES) == 0 ? 0 : MOST_BYTES / PAGE)).putShort((short) 0);
        out.putLong(0).putLong(0).putLong(0).putLong(0);
    }
}
