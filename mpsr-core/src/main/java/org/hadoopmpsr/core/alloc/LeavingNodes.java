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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Which replica groups keep a DataNode in service when nodes leave it. */
public final class LeavingNodes {

    /** What becomes of a live node. */
    public enum Fate {
        /** It is in service, or comes back into it. */
        SERVES,
        /** It is in maintenance for a while, and comes back. */
        RESTS,
        /** It is decommissioned, or shut out. */
        LEAVES
    }

    private LeavingNodes() {}

    /**
     * The groups that have a node in service and would have none, because nodes leave for good. Each with the nodes in service that
     * would leave, in the order of the members.
     *
     * @param members the live nodes that have a group, as they are now
     */
    public static Map<String, List<Node>> emptied(List<Member> members, Function<Node, Fate> fates) {
        Map<String, List<Node>> leaving = new TreeMap<>();
        Set<String> served = new HashSet<>();
        for (Member member : members) {
            Fate fate = fates.apply(member.node());
            if (fate == Fate.SERVES) {
                served.add(member.group());
            } else if (fate == Fate.LEAVES && member.inService()) {
                leaving.computeIfAbsent(member.group(), g -> new ArrayList<>()).add(member.node());
            }
        }
        leaving.keySet().removeAll(served);
        return leaving;
    }
}
