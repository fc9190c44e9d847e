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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.jspecify.annotations.Nullable;

/** Reads directories and files from the inodes. Methods need the read lock if they do not say otherwise. */
public final class Namespace {
    private final MpsrNamesystem system;

    public Namespace(MpsrNamesystem system) {
        this.system = system;
    }

    /** The action of a walk for each file; called with the read lock held. */
    public interface FileVisitor {
        /**
         * @param path absolute
         * @return false to end the walk
         */
        boolean visit(String path, INodeFile file) throws IOException;
    }

    @Nullable
    public INode find(String path) throws IOException {
        return system.directory().getINode(path);
    }

    public INode require(String path) throws IOException {
        INode inode = find(path);
        if (inode == null) {
            throw new FileNotFoundException(path + " does not exist");
        }
        return inode;
    }

    /** The path of an inode, or null if the inode is not in the current namespace. */
    @Nullable
    public String pathOf(long inodeId) throws IOException {
        INode inode = system.directory().getInode(inodeId);
        if (inode == null) {
            return null;
        }
        String path = inode.getFullPathName();
        INode found = find(path);
        return found != null && found.getId() == inodeId ? path : null;
    }

    /** The children of a directory; empty if the path is no directory. */
    public List<INode> children(String path) throws IOException {
        INode inode = find(path);
        return inode == null ? List.of() : children(inode);
    }

    public static List<INode> children(INode inode) {
        List<INode> children = new ArrayList<>();
        if (inode.isDirectory()) {
            inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID).forEach(children::add);
        }
        return children;
    }

    /**
     * Visits the files below a directory that a reader would read: all files except those with a hidden name, or below
     * a directory with a hidden name. Takes the read lock itself, for a thousand entries at a time, unless the
     * caller holds it. Concurrent changes may be seen or not.
     */
    public void walk(String root, FileVisitor visitor) throws IOException {
        INode start = system.read(() -> find(root));
        if (start == null) {
            return;
        }
        Walk walk = new Walk(system.directory(), start, visitor);
        boolean goOn = true;
        while (goOn && !walk.isAtEnd()) {
            goOn = system.read(walk::step);
        }
    }

    /**
     * The entries of a directory after one of its names, in the order of names. Needs the read lock.
     *
     * @param name the name, or null for all entries
     */
    public static List<INode> after(INodeDirectory directory, byte @Nullable [] name, int most) {
        ReadOnlyList<INode> entries = directory.getChildrenList(Snapshot.CURRENT_STATE_ID);
        int first = name == null ? 0 : Walk.firstAfter(entries, name);
        List<INode> some = new ArrayList<>();
        for (int i = first; i < entries.size() && some.size() < most; i++) {
            some.add(entries.get(i));
        }
        return some;
    }
}
