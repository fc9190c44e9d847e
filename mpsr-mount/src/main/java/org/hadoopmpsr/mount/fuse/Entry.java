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
 * What a name leads to. The kernel counts each entry that it is given for a node, and takes them back with {@link Operations#forget}.
 *
 * @param node the number of the node, above 0
 */
public record Entry(long node, Attributes attributes) {
    /** The bytes of an entry. */
    static final int BYTES = 128;

    void put(ByteBuffer out) {
        out.putLong(node).putLong(0);
        out.putLong(Attributes.VALID_SECONDS).putLong(Attributes.VALID_SECONDS);
        out.putInt(0).putInt(0);
        attributes.put(out);
    }
}
