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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.alloc.LeavingNodes.Fate;
import org.junit.jupiter.api.Test;

class LeavingNodesTest {
    private static final Member A1 = member("a1", "a", true);
    private static final Member A2 = member("a2", "a", true);
    private static final Member B1 = member("b1", "b", true);
    private static final Member B2 = member("b2", "b", false);

    private static Member member(String name, String group, boolean inService) {
        return new Member(new Node(name, name + ".test", "/r"), group, inService, 100, 10, 90);
    }

    private static Map<String, List<Node>> emptied(Map<String, Fate> fates) {
        return LeavingNodes.emptied(List.of(A1, A2, B1, B2), node -> fates.getOrDefault(node.uuid(), Fate.SERVES));
    }

    @Test
    void aGroupThatKeepsANodeIsNotEmptied() {
        assertThat(emptied(Map.of())).isEmpty();
        assertThat(emptied(Map.of("a1", Fate.LEAVES))).isEmpty();
        // b2 comes back while b1 leaves
        assertThat(emptied(Map.of("b1", Fate.LEAVES))).isEmpty();
    }

    @Test
    void theLastNodesOfAGroupAreNamed() {
        assertThat(emptied(Map.of("a1", Fate.LEAVES, "a2", Fate.LEAVES)))
                .isEqualTo(Map.of("a", List.of(A1.node(), A2.node())));
        assertThat(emptied(Map.of("b1", Fate.LEAVES, "b2", Fate.LEAVES))).isEqualTo(Map.of("b", List.of(B1.node())));
        assertThat(emptied(Map.of("a1", Fate.RESTS, "a2", Fate.LEAVES))).isEqualTo(Map.of("a", List.of(A2.node())));
    }

    @Test
    void whatRestsComesBackAndWhatHasLeftIsNoNews() {
        assertThat(emptied(Map.of("a1", Fate.RESTS, "a2", Fate.RESTS))).isEmpty();
        assertThat(LeavingNodes.emptied(List.of(B2), node -> Fate.LEAVES)).isEmpty();
    }
}
