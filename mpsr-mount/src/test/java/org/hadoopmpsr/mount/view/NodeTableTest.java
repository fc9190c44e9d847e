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
package org.hadoopmpsr.mount.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.hadoopmpsr.mount.fuse.Operations;
import org.junit.jupiter.api.Test;

class NodeTableTest {
    private final NodeTable table = new NodeTable("/root", 1);

    private Node enter(Node parent, String name, long fileId) {
        return table.enter(parent, name, Node.Place.plain(fileId));
    }

    private Node root() throws ErrnoException {
        return table.get(Operations.ROOT);
    }

    private String path(Node node) {
        return table.path(node).toUri().getPath();
    }

    @Test
    void pathsFollowRenamesOfDirectoriesAbove() throws Exception {
        Node a = enter(root(), "a", 2);
        Node b = enter(a, "b", 3);
        Node c = enter(b, "c d", 4);
        assertThat(path(c)).isEqualTo("/root/a/b/c d");
        table.move(a, "b", root(), "x");
        assertThat(path(c)).isEqualTo("/root/x/c d");
        assertThat(path(root())).isEqualTo("/root");
        assertThat(enter(root(), "x", 3).id()).isEqualTo(b.id());
    }

    @Test
    void anotherFileOfTheSameNameIsAnotherNode() throws Exception {
        Node first = enter(root(), "a", 2);
        assertThat(enter(root(), "a", 2).id()).isEqualTo(first.id());
        Node second = enter(root(), "a", 3);
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(table.get(first.id()).fileId()).isEqualTo(2);
        table.forget(first.id(), 2);
        assertThatThrownBy(() -> table.get(first.id())).hasMessageContaining("no node");
        assertThat(enter(root(), "a", 3).id()).isEqualTo(second.id());
    }

    @Test
    void aMountOfTheRootHasPathsWithOneSlash() throws Exception {
        NodeTable all = new NodeTable("/", 1);
        Node top = all.get(Operations.ROOT);
        assertThat(all.path(top).toUri().getPath()).isEqualTo("/");
        assertThat(all.path(all.enter(top, "a", Node.Place.plain(2))).toUri().getPath())
                .isEqualTo("/a");
    }

    @Test
    void groupsLieElsewhereAndAreNotWritten() throws Exception {
        Node dataset = enter(root(), "d", 2);
        Node groups = table.enter(dataset, ".groups", new Node.Place(9, Node.Kind.GROUPS, "/root/d"));
        Node group = table.enter(groups, "signal", new Node.Place(5, Node.Kind.GROUP, "/.mpsr/datasets/1/signal"));
        Node file = enter(group, "f", 6);
        assertThat(path(file)).isEqualTo("/.mpsr/datasets/1/signal/f");
        assertThat(path(groups)).isEqualTo("/root/d");
        assertThat(table.isOfGroups(file)).isTrue();
        assertThat(table.isOfGroups(dataset)).isFalse();
    }

    /** What the kernel may know is known, and nothing is left when it has forgotten everything. */
    @Test
    void nothingIsLeftWhenAllIsForgotten() throws Exception {
        long seed = Long.getLong("mpsr.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<Long, Integer> counted = new HashMap<>();
        List<Long> ids = new ArrayList<>(List.of(Operations.ROOT));
        for (int i = 0; i < 20_000; i++) {
            Node parent = table.get(ids.get(random.nextInt(ids.size())));
            String name = "n" + random.nextInt(4);
            int choice = random.nextInt(6);
            if (choice < 3) {
                Node node = enter(parent, name, 2 + random.nextInt(5));
                if (counted.merge(node.id(), 1, Integer::sum) == 1) {
                    ids.add(node.id());
                }
            } else if (choice == 3 && ids.size() > 1) {
                long id = ids.get(1 + random.nextInt(ids.size() - 1));
                int some = 1 + random.nextInt(counted.get(id));
                table.forget(id, some);
                if (counted.merge(id, -some, Integer::sum) == 0) {
                    counted.remove(id);
                    ids.remove(id);
                }
            } else if (choice == 4) {
                table.remove(parent, name);
            } else if (parent.id() == Operations.ROOT) {
                table.move(parent, name, parent, "n" + random.nextInt(4));
            }
            assertThat(table.size())
                    .as("replay with -Dmpsr.seed=%d, step %d", seed, i)
                    .isEqualTo(ids.size());
        }
        for (Map.Entry<Long, Integer> each : counted.entrySet()) {
            table.forget(each.getKey(), each.getValue());
        }
        assertThat(table.size()).isEqualTo(1);
        assertThat(root().children()).isEmpty();
    }
}
