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
package org.hadoopmpsr.core.alloc;

/**
 * The number of nodes over which the files of one segment in one replica group are spread.
 *
 * @param nodes at least 1
 */
public record ScatterWidth(int nodes) {
    /** All nodes of the group: each block lies anywhere in the group. */
    public static final ScatterWidth ALL = new ScatterWidth(Integer.MAX_VALUE);

    public ScatterWidth {
        if (nodes < 1) {
            throw new IllegalArgumentException("the files of a segment lie on " + nodes + " nodes; 1 is the least");
        }
    }

    /** True if blocks are spread over all nodes of the group, whatever their segment. */
    public boolean isAll() {
        return nodes == Integer.MAX_VALUE;
    }

    /** {@code all}, or the number. */
    public String text() {
        return isAll() ? "all" : String.valueOf(nodes);
    }
}
