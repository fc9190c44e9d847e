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

/** What is known of copies that lie on nodes which are not of their block's replica group. */
public interface WrongCopies {
    /** Where nothing is known of any. */
    WrongCopies NONE = nodes -> Set.of();

    /**
     * Those of the nodes whose copy of a block is wrong. Which block is meant is not said, so it is one that all of
     * these nodes have. Called under the NameNode's lock.
     *
     * @param nodes the uuids of nodes that have copies of one block, of which some are too many
     */
    Set<String> among(Set<String> nodes);
}
