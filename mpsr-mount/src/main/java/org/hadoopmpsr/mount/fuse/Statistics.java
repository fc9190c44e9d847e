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

/** What {@code df} shows, in bytes. */
public record Statistics(long capacity, long free) {
    private static final int UNIT = 1 << 20;
    private static final int NAME_LENGTH = 255;

    void put(ByteBuffer out) {
        out.putLong(capacity / UNIT).putLong(free / UNIT).putLong(free / UNIT);
        out.putLong(0).putLong(0);
        out.putInt(UNIT).putInt(NAME_LENGTH).putInt(UNIT);
        for (int i = 0; i < 7; i++) {
            out.putInt(0);
        }
    }
}
