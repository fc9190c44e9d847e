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
 * A DataNode that has a group, as re-allocation sees it.
 *
 * @param inService alive, and neither leaving nor in maintenance; only such nodes count
 * @param capacityBytes all that HDFS may use on it
 * @param usedBytes what HDFS uses; no less than what its group's blocks take
 * @param remainingBytes what HDFS may still use
 */
public record Member(
        Node node, String group, boolean inService, long capacityBytes, long usedBytes, long remainingBytes) {

    /** What the node weighs when groups are compared; nodes that have not told their capacity weigh alike. */
    long weight() {
        return Math.max(capacityBytes, 1);
    }

    Member with(String newGroup, long newUsed, long newRemaining) {
        return new Member(node, newGroup, inService, capacityBytes, newUsed, newRemaining);
    }
}
