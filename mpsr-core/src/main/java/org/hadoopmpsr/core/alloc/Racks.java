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

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks whether nodes can get their new groups without sharing a rack with another group. */
public final class Racks {

    private Racks() {}

    /**
     * Finds a node that would share a rack with another group after nodes get their new groups. With fewer racks than
     * groups the answer is always null.
     *
     * @param groups the number of groups
     * @param members all nodes that have a group
     * @param moving the new group of each node that changes in this step, by uuid
     * @return a sentence, or null if no rack would be shared
     */
    public static @Nullable String problem(int groups, List<Member> members, Map<String, String> moving) {
        long racks = members.stream().map(m -> m.node().rack()).distinct().count();
        if (racks < groups) {
            return null;
        }
        for (Member changing : members) {
            String to = moving.get(changing.node().uuid());
            for (Member other : to == null ? List.<Member>of() : members) {
                String group = moving.getOrDefault(other.node().uuid(), other.group());
                if (other.node().rack().equals(changing.node().rack()) && !group.equals(to)) {
                    return "DataNode " + other.node().host() + " of replica group '" + group + "' is on rack "
                            + other.node().rack() + " too; cancel, and plan again";
                }
            }
        }
        return null;
    }
}
