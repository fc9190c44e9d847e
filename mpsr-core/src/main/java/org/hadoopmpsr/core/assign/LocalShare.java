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
package org.hadoopmpsr.core.assign;

import java.util.Collection;
import java.util.Set;

/** Estimates the share of a replica group's data that a reader finds on the reader's own hosts. */
public final class LocalShare {

    private LocalShare() {}

    /**
     * The share of the group's blocks that have a replica on one of the reader's hosts. The replicas of a block lie on
     * different nodes of the group, and all choices of nodes are assumed to be equally likely. With {@code n} nodes,
     * {@code h} of them on the reader's hosts, and {@code r} replicas, the share is {@code 1 - C(n - h, r) / C(n, r)}.
     *
     * @param nodes the host of each node of the group
     * @param readers the hosts that read; empty if unknown, which counts as everywhere
     * @param replicas the replicas of a block; a number above the number of nodes counts as that number
     * @return from 0 to 1; 1 for a group without nodes
     */
    public static double of(Collection<String> nodes, Set<String> readers, int replicas) {
        if (readers.isEmpty() || nodes.isEmpty()) {
            return 1;
        }
        long elsewhere = nodes.stream().filter(n -> !readers.contains(n)).count();
        double remote = 1;
        for (int i = 0; i < Math.min(replicas, nodes.size()); i++) {
            remote *= Math.max(0, elsewhere - i) / (double) (nodes.size() - i);
        }
        return 1 - remote;
    }
}
