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
package org.hadoopmpsr.mount.server;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The FUSE device, open as the standard input of the process. One thread reads from it. Each thread that writes has a channel of its
 * own, because a Java channel lets one thread in at a time, and a read waits inside. Threads that use it must not be interrupted: Java
 * would close the device.
 */
final class FuseDevice {
    private static final String GONE = "No such file or directory";
    private static final String UNMOUNTED = "No such device";
    private static final String NOT_MOUNTED = "Operation not permitted";

    private final FileChannel in = new FileInputStream(FileDescriptor.in).getChannel();
    private final ThreadLocal<FileChannel> out =
            ThreadLocal.withInitial(() -> new FileOutputStream(FileDescriptor.in).getChannel());

    /**
     * Waits for a request.
     *
     * @param into is filled with it, and flipped
     * @return false when there are no more: it is unmounted
     */
    boolean read(ByteBuffer into) throws IOException {
        while (true) {
            into.clear();
            try {
                int count = in.read(into);
                into.flip();
                return count > 0;
            } catch (IOException e) {
                if (is(e, UNMOUNTED)) {
                    return false;
                }
                if (is(e, NOT_MOUNTED)) {
                    throw new IOException("the standard input is no FUSE device that is mounted", e);
                }
                if (!is(e, GONE)) { // otherwise a request was taken back while it was read
                    throw e;
                }
            }
        }
    }

    /** Sends an answer, in one piece. Nothing happens if nobody waits for it any more. */
    void write(ByteBuffer answer) throws IOException {
        try {
            int size = answer.remaining();
            int written = out.get().write(answer);
            if (written != size) {
                throw new IOException("the kernel took " + written + " of " + size + " bytes of an answer");
            }
        } catch (IOException e) {
            if (!is(e, GONE) && !is(e, UNMOUNTED)) {
                throw e;
            }
        }
    }

    private static boolean is(IOException e, String message) {
        return message.equals(e.getMessage());
    }
}
