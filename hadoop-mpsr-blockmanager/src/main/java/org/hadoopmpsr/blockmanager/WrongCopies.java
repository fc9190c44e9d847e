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

import java.util.Set;

/** Knows copies on nodes that do not belong to the block's replica group. */
public interface WrongCopies {
    /** Knows no wrong copy. */
    WrongCopies NONE = nodes -> Set.of();

    /**
     * The nodes whose copy of a block is wrong. The block is unknown; it is one that all of the given nodes hold.
     * Called under the NameNode's lock.
     *
     * @param nodes the uuids of nodes that hold copies of one block with too many copies
     */
    Set<String> among(Set<String> nodes);
}
