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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.hadoopmpsr.core.layout.PathNames;
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

    /** What lies at a path, or null if nothing does, also below a file. */
    @Nullable
    public INode find(String path) throws IOException {
        system.holds().look(1);
        try {
            return system.directory().getINode(path);
        } catch (ParentNotDirectoryException e) {
            return null;
        }
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

    /** The children of a directory; empty if the path is no directory. For directories with few. */
    public List<INode> children(String path) throws IOException {
        INode inode = find(path);
        List<INode> children = inode == null ? List.of() : children(inode);
        system.holds().look(children.size());
        return children;
    }

    /**
     * What is read of each entry of a directory, in the order of names; empty if the path is no directory. Takes the
     * read lock itself, for a thousand entries at a time, unless the caller holds it. Concurrent changes may be seen or
     * not.
     *
     * @param read called with the read lock held
     */
    public <T extends @Nullable Object> List<T> entries(String path, Function<INode, T> read) throws IOException {
        return entries(() -> find(path), read);
    }

    /** What is read of each entry of the directory with an inode id, as {@link #entries(String, Function)} reads it. */
    public <T extends @Nullable Object> List<T> entries(long inodeId, Function<INode, T> read) throws IOException {
        return entries(() -> system.directory().getInode(inodeId), read);
    }

    private <T extends @Nullable Object> List<T> entries(
            MpsrNamesystem.Read<@Nullable INode> directory, Function<INode, T> read) throws IOException {
        List<T> all = new ArrayList<>();
        AtomicReference<byte @Nullable []> last = new AtomicReference<>();
        boolean more = true;
        while (more) {
            more = system.read(() -> {
                INode now = directory.run();
                List<INode> some = now == null || !now.isDirectory()
                        ? List.of()
                        : after(now.asDirectory(), last.get(), LockSteps.SIZE);
                for (INode entry : some) {
                    all.add(read.apply(entry));
                    last.set(entry.getLocalNameBytes());
                }
                system.holds().look(some.size());
                return some.size() == LockSteps.SIZE;
            });
        }
        return all;
    }

    /** The number of entries of a directory; 0 if the path is no directory. */
    public int countEntries(String path) throws IOException {
        INode directory = find(path);
        return directory == null || !directory.isDirectory()
                ? 0
                : directory.asDirectory().getChildrenNum(Snapshot.CURRENT_STATE_ID);
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
        walk(root, start -> new Walk(system, start, visitor, null));
    }

    /** The action of a walk for each file and directory; called with the read lock held. */
    public interface InodeVisitor {
        /** @return false to end the walk */
        boolean visit(INode inode) throws IOException;
    }

    /**
     * Visits a directory and everything below it, the directory first. Takes the read lock as {@link #walk} does. Does
     * nothing if the path does not exist.
     */
    public void walkAll(String root, InodeVisitor visitor) throws IOException {
        walk(root, start -> new Walk(system, start, null, visitor));
    }

    private void walk(String root, Function<INode, Walk> begin) throws IOException {
        AtomicReference<@Nullable Walk> walk = new AtomicReference<>();
        boolean goOn = true;
        while (goOn) {
            goOn = system.read(() -> {
                Walk begun = walk.get();
                if (begun == null) {
                    INode start = find(root);
                    if (start == null) {
                        return false;
                    }
                    begun = begin.apply(start);
                    walk.set(begun);
                }
                return begun.step() && !begun.isAtEnd();
            });
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

    /** True for a file or directory that a reader would not read. Most names need no look at more than their first and last byte. */
    public static boolean isHidden(INode entry) {
        byte[] name = entry.getLocalNameBytes();
        boolean maybe = name.length > 0 && (name[0] == '.' || name[0] == '_' || name[name.length - 1] == '_');
        return maybe && PathNames.isHidden(entry.getLocalName());
    }

    /** The number of inodes in a tree, but at most so many; it looks at no more. */
    public static int size(INode top, int most) {
        Deque<INode> open = new ArrayDeque<>();
        open.add(top);
        int size = 0;
        while (!open.isEmpty() && size < most) {
            INode next = open.remove();
            size++;
            if (next.isDirectory()) {
                for (INode child : next.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                    if (size + open.size() >= most) {
                        return most;
                    }
                    open.add(child);
                }
            }
        }
        return size;
    }

    /** Counts inodes that were looked at otherwise. */
    public void looked(int inodes) {
        system.holds().look(inodes);
    }
}
