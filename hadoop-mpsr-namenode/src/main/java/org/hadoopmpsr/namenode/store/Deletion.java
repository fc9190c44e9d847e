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
package org.hadoopmpsr.namenode.store;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;

/**
 * Deletes directories with all that is in them, a part in each hold of the lock, however many files they hold. Others see
 * what is not deleted yet. Thread-safe.
 */
public final class Deletion {
    /** The most inodes that one hold deletes. */
    private static final int INODES = LockSteps.SIZE;
    /** The most deletions of one hold. */
    private static final int EDITS = 100;

    private final MpsrNamesystem system;
    private final Namespace namespace;

    public Deletion(MpsrNamesystem system, Namespace namespace) {
        this.system = system;
        this.namespace = namespace;
    }

    /** Deletes all of it, in several holds of the write lock. Does nothing if the path does not exist. */
    public void all(String operation, String path) throws IOException {
        boolean done = false;
        while (!done) {
            done = system.write(operation, edits -> step(edits, path));
        }
    }

    /**
     * Deletes a part of it. Needs the write lock.
     *
     * @return true if nothing is left
     */
    public boolean step(NamespaceEdits edits, String path) throws IOException {
        int left = INODES;
        for (int i = 0; i < EDITS && left > 0; i++) {
            INode root = namespace.find(path);
            if (root == null) {
                return true;
            }
            Tree tree = first(root, left);
            system.holds().look(tree.size);
            edits.delete(tree.top.getFullPathName());
            if (tree.top == root) {
                return true;
            }
            left -= tree.size;
        }
        return false;
    }

    /** A file, or a directory with all that is in it. */
    private record Tree(INode top, int size) {}

    /** The largest tree of at most so many inodes that holds the first leaf. */
    private static Tree first(INode root, int most) {
        INode top = root;
        for (ReadOnlyList<INode> in = entries(top); !in.isEmpty(); in = entries(top)) {
            top = in.get(0);
        }
        int size = 1;
        while (top != root) {
            INodeDirectory parent = top.getParent();
            int larger = size + 1;
            for (INode child : entries(parent)) {
                if (child != top && larger <= most) {
                    larger += Namespace.size(child, most + 1 - larger);
                }
            }
            if (larger > most) {
                return new Tree(top, size);
            }
            top = parent;
            size = larger;
        }
        return new Tree(top, size);
    }

    private static ReadOnlyList<INode> entries(INode inode) {
        return inode.isDirectory()
                ? inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)
                : ReadOnlyList.Util.emptyList();
    }
}
