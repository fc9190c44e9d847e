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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.jspecify.annotations.Nullable;

/** Checks whether nodes can leave their groups, and computes what the other nodes hold afterwards. */
public final class Room {
    /** The share of the other nodes' free space that may be filled. */
    private static final double FILL = 0.9;

    private Room() {}

    /**
     * The reason why nodes cannot leave their groups, if there is one. The remaining nodes of a group must be at least
     * as many as the group has copies of each block, and must have room for the data of the leaving nodes.
     *
     * @param leaving the uuids of the nodes; uuids of other nodes are ignored
     * @return one sentence, or null if the nodes can leave
     */
    public static @Nullable String problem(List<ReplicaGroup> groups, List<Member> members, Set<String> leaving) {
        Map<String, List<Member>> left = leaving(members, leaving);
        for (Map.Entry<String, List<Member>> entry : left.entrySet()) {
            List<Member> others = others(members, entry.getKey(), leaving);
            int needed = groups.stream()
                    .filter(g -> g.name().equals(entry.getKey()))
                    .mapToInt(ReplicaGroup::replication)
                    .findFirst()
                    .orElse(1);
            if (others.size() < needed) {
                return "replica group '" + entry.getKey() + "' would keep " + others.size()
                        + " DataNode(s) in service and needs " + needed + "; add DataNodes";
            }
            long bytes = entry.getValue().stream().mapToLong(Member::usedBytes).sum();
            long room = others.stream().mapToLong(Member::remainingBytes).sum();
            if (bytes > FILL * room) {
                return "the other DataNodes of replica group '" + entry.getKey() + "' have " + room
                        + " bytes left, too little for the " + bytes + " bytes to be copied to them; add DataNodes";
            }
        }
        return null;
    }

    /**
     * The members after nodes have left: those nodes are empty and in their new group, and the other nodes hold their
     * data.
     */
    static List<Member> after(List<Member> members, Set<String> leaving, String to) {
        Map<String, List<Member>> left = leaving(members, leaving);
        List<Member> after = new ArrayList<>();
        for (Member member : members) {
            if (leaving.contains(member.node().uuid())) {
                after.add(member.with(to, 0, member.remainingBytes() + member.usedBytes()));
            } else if (member.inService() && left.containsKey(member.group())) {
                long room = others(members, member.group(), leaving).stream()
                        .mapToLong(Member::remainingBytes)
                        .sum();
                long bytes = left.get(member.group()).stream()
                        .mapToLong(Member::usedBytes)
                        .sum();
                long share = room == 0 ? 0 : (long) Math.ceil((double) bytes * member.remainingBytes() / room);
                after.add(member.with(member.group(), member.usedBytes() + share, member.remainingBytes() - share));
            } else {
                after.add(member);
            }
        }
        return after;
    }

    private static Map<String, List<Member>> leaving(List<Member> members, Set<String> leaving) {
        return members.stream()
                .filter(m -> leaving.contains(m.node().uuid()))
                .collect(Collectors.groupingBy(Member::group, TreeMap::new, Collectors.toList()));
    }

    private static List<Member> others(List<Member> members, String group, Set<String> leaving) {
        return members.stream()
                .filter(m -> m.inService()
                        && m.group().equals(group)
                        && !leaving.contains(m.node().uuid()))
                .toList();
    }
}
