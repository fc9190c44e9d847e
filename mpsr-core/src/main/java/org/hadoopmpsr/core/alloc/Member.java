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
 * A DataNode that has a group, as the rebalance planner sees it.
 *
 * @param inService true if the node is alive and neither leaves nor is in maintenance; only such nodes count
 * @param capacityBytes the bytes that HDFS may use on the node
 * @param usedBytes the bytes that HDFS uses, at least those of the group's blocks
 * @param remainingBytes the bytes that HDFS may still use
 */
public record Member(
        Node node, String group, boolean inService, long capacityBytes, long usedBytes, long remainingBytes) {

    /** The weight of the node when groups are compared. Nodes of unknown capacity all weigh the same. */
    long weight() {
        return Math.max(capacityBytes, 1);
    }

    Member with(String newGroup, long newUsed, long newRemaining) {
        return new Member(node, newGroup, inService, capacityBytes, newUsed, newRemaining);
    }
}
