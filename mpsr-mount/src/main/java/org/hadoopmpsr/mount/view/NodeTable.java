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

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.hadoopmpsr.mount.fuse.Operations;

/**
 * The nodes that the kernel knows, with the number of entries that it holds of each. A path at which HDFS has another file than before
 * gets another node, so that nothing that the kernel keeps of the old file is taken for the new one. Thread-safe.
 */
final class NodeTable {
    private final Map<Long, Node> byId = new HashMap<>();
    private long last = Operations.ROOT;

    NodeTable(String root, long fileId) {
        Node node = new Node(Operations.ROOT, null, "", new Node.Place(fileId, Node.Kind.PLAIN, root));
        node.count(1);
        byId.put(node.id(), node);
    }

    /**
     * The node of a number.
     *
     * @throws ErrnoException {@code ESTALE} if there is none
     */
    synchronized Node get(long id) throws ErrnoException {
        Node node = byId.get(id);
        if (node == null) {
            throw new ErrnoException(Errno.ESTALE, "there is no node " + id);
        }
        return node;
    }

    /** The path of a node in HDFS. */
    synchronized Path path(Node node) {
        return new Path(null, null, node.path());
    }

    /** True if a node lies where nothing is written. */
    synchronized boolean isOfGroups(Node node) {
        return node.isOfGroups();
    }

    /** The node for what was found under a name; the kernel gets one more entry of it. */
    synchronized Node enter(Node parent, String name, Node.Place place) {
        Node node = parent.children().get(name);
        if (node == null || !node.is(place)) {
            node = new Node(++last, parent, name, place);
            byId.put(node.id(), node);
            parent.children().put(name, node);
        }
        node.count(1);
        return node;
    }

    /** The kernel has so many entries less. */
    synchronized void forget(long id, long entries) {
        Node node = byId.get(id);
        if (node == null || id == Operations.ROOT) {
            return;
        }
        node.count(-entries);
        if (node.isForgotten()) {
            byId.remove(id);
            Node parent = node.parent();
            if (parent != null) {
                parent.children().remove(node.name(), node);
            }
        }
    }

    /** The name leads to nothing any more. */
    synchronized void remove(Node parent, String name) {
        parent.children().remove(name);
    }

    /** What has a name has another one now, and with it all that lies below. */
    synchronized void move(Node parent, String name, Node newParent, String newName) {
        Node node = parent.children().remove(name);
        newParent.children().remove(newName);
        if (node != null) {
            node.moveTo(newParent, newName);
            newParent.children().put(newName, node);
        }
    }

    /** The number of nodes that the kernel knows. */
    synchronized int size() {
        return byId.size();
    }
}
