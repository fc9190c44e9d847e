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
package org.hadoopmpsr.blockmanager;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The nodes among which the calling thread chooses, for hooks that do not receive a path. Thread-safe. */
final class ChosenGroup {
    private final ThreadLocal<@Nullable BlockNodes> choosing = new ThreadLocal<>();

    /** The nodes for a block of a replica group, or null if the thread chooses for no group. */
    @Nullable
    BlockNodes nodes() {
        return choosing.get();
    }

    /** Makes a choice among these nodes. Restores the thread's earlier nodes afterwards. */
    <T> T among(BlockNodes nodes, Supplier<T> choice) {
        BlockNodes outer = choosing.get();
        choosing.set(nodes);
        try {
            return choice.get();
        } finally {
            if (outer == null) {
                choosing.remove();
            } else {
                choosing.set(outer);
            }
        }
    }
}
