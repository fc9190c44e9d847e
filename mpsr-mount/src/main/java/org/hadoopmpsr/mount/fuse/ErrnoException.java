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

/** A call fails with this error number. An answer, and no fault of the server. */
public final class ErrnoException extends IOException {
    private static final long serialVersionUID = 1;

    private final Errno errno;

    /** The message is for logs; programs see the number only. */
    public ErrnoException(Errno errno, String message) {
        super(message);
        this.errno = errno;
    }

    /** What the program sees. */
    public Errno errno() {
        return errno;
    }
}
