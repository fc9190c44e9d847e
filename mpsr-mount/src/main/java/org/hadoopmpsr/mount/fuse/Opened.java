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

/**
 * An open file.
 *
 * @param handle by which reads and writes name it, above 0
 * @param cache what the kernel may do with bytes that it has
 */
public record Opened(long handle, Cache cache) {

    /** What the kernel may do with bytes of a file that it has. */
    public enum Cache {
        /** Keep those from before, too: the file is the one that was open before. */
        KEEP(2),
        /** Forget those from before. */
        RENEW(0),
        /** Have none: each read is passed on, such as those of a file that another program is writing. */
        NONE(1);

        private final int flags;

        Cache(int flags) {
            this.flags = flags;
        }
    }

    void put(ByteBuffer out) {
        out.putLong(handle).putInt(cache.flags).putInt(0);
    }
}
