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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hadoopmpsr.mount.fuse.AttributeChange;
import org.hadoopmpsr.mount.fuse.Attributes;
import org.hadoopmpsr.mount.fuse.DirectoryBuffer;
import org.hadoopmpsr.mount.fuse.Entry;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.hadoopmpsr.mount.fuse.Opened;
import org.hadoopmpsr.mount.fuse.Operations;
import org.hadoopmpsr.mount.fuse.Statistics;
import org.hadoopmpsr.mount.view.OpenDirectory.Listed;
import org.jspecify.annotations.Nullable;

/** A directory of HDFS as a file system for the kernel. Thread-safe. */
public final class HdfsView implements Operations, Closeable {
    private static final int EXCLUSIVE = 0200;
    private static final int ITSELF_AND_ABOVE = 2;
    /** After these errors the attributes of an open file are those of when it was opened. */
    private static final Set<Errno> OF_OPEN_FILES = EnumSet.of(Errno.ENOENT, Errno.ESTALE, Errno.EHOSTDOWN, Errno.EIO);

    private final Connected hdfs;
    private final boolean writable;
    private final NodeTable nodes;
    private final OpenFiles files;
    private final Directories directories;
    private final StatusView statuses;
    private final AttributeChanges changes;

    HdfsView(Connected hdfs, String root, boolean writable) throws IOException {
        this.hdfs = hdfs;
        this.writable = writable;
        FileStatus status = hdfs.store().status(new Path(null, null, root));
        if (!status.isDirectory()) {
            throw new IOException("'" + root + "' is a file; name a directory to mount");
        }
        this.nodes = new NodeTable(root, StatusView.fileId(status));
        this.files = new OpenFiles(hdfs.store(), nodes);
        this.directories = new Directories(hdfs.store(), nodes, hdfs.datasets());
        this.statuses = new StatusView(hdfs.owners());
        this.changes = new AttributeChanges(hdfs.store(), hdfs.owners());
    }

    /**
     * Where a read waits for those before it; to be asked for each read in the order in which the kernel asks.
     *
     * @return null for a read that waits for none
     */
    public @Nullable Executor order(long handle, long offset, int size, Executor threads) {
        OpenFile file = files.known(handle);
        return file == null ? null : file.order(offset, size, threads);
    }

    @Override
    public Entry lookup(long parent, String name) throws IOException {
        Node directory = nodes.get(parent);
        return entry(directory, directories.find(directory, name));
    }

    @Override
    public void forget(long node, long count) {
        nodes.forget(node, count);
    }

    @Override
    public Attributes attributes(long id, long handle) throws IOException {
        Node node = nodes.get(id);
        OpenFile file = files.known(handle);
        try {
            return attributes(node, status(node));
        } catch (IOException e) {
            // An open file is read on when it was deleted, and when no NameNode answers.
            if (file == null || !OF_OPEN_FILES.contains(Errors.of(e))) {
                throw e;
            }
            return attributes(node, file.status());
        }
    }

    @Override
    public Attributes change(long id, AttributeChange change) throws IOException {
        Node node = nodes.get(id);
        requireWritable(node);
        Path path = nodes.path(node);
        changes.apply(path, status(node), change, files.writer(node.fileId()));
        return attributes(node, status(node));
    }

    @Override
    public Entry makeDirectory(long parent, String name, int mode) throws IOException {
        Node directory = nodes.get(parent);
        Path path = writableChild(directory, name);
        hdfs.store().makeDirectory(path, mode);
        return lookup(parent, name);
    }

    @Override
    public Entry makeFile(long parent, String name, int mode) throws IOException {
        Path path = writableChild(nodes.get(parent), name);
        hdfs.store().create(path, mode).close();
        return lookup(parent, name);
    }

    @Override
    public void unlink(long parent, String name) throws IOException {
        Node directory = nodes.get(parent);
        hdfs.store().unlink(writableChild(directory, name));
        nodes.remove(directory, name);
    }

    @Override
    public void removeDirectory(long parent, String name) throws IOException {
        Node directory = nodes.get(parent);
        hdfs.store().removeDirectory(writableChild(directory, name));
        nodes.remove(directory, name);
    }

    @Override
    public void rename(long parent, String name, long newParent, String newName, boolean replace) throws IOException {
        Node from = nodes.get(parent);
        Node to = nodes.get(newParent);
        hdfs.store().rename(writableChild(from, name), writableChild(to, newName), replace);
        nodes.move(from, name, to, newName);
    }

    @Override
    public Opened open(long id, int flags) throws IOException {
        Node node = nodes.get(id);
        if (OpenFiles.isToWrite(flags)) {
            requireWritable(node);
        }
        return files.open(node, flags);
    }

    @Override
    public Created create(long parent, String name, int mode, int flags) throws IOException {
        Node directory = nodes.get(parent);
        Path path = writableChild(directory, name);
        FSDataOutputStream out;
        try {
            out = hdfs.store().create(path, mode);
        } catch (IOException e) {
            if (Errors.of(e) != Errno.EEXIST || (flags & EXCLUSIVE) != 0) {
                throw e;
            }
            Entry there = lookup(parent, name); // another program was faster
            return new Created(there, open(there.node(), flags));
        }
        try {
            Listed found = directories.find(directory, name);
            Node node = nodes.enter(directory, name, found.place());
            Opened opened = files.created(node, found.status(), out, flags);
            return new Created(new Entry(node.id(), attributes(found)), opened);
        } catch (IOException e) {
            out.close();
            throw e;
        }
    }

    @Override
    public void read(long handle, long offset, ByteBuffer into, boolean inSequence) throws IOException {
        files.file(handle).read(offset, into, inSequence);
    }

    @Override
    public void write(long handle, long offset, ByteBuffer bytes) throws IOException {
        files.file(handle).write(offset, bytes);
    }

    @Override
    public void flush(long handle) throws IOException {
        files.file(handle).flush();
    }

    @Override
    public void sync(long handle) throws IOException {
        files.file(handle).sync();
    }

    @Override
    public void release(long handle) throws IOException {
        files.release(handle);
    }

    @Override
    public long openDirectory(long id) throws IOException {
        Node node = nodes.get(id);
        return files.openDirectory(new OpenDirectory(node, () -> directories.list(node)));
    }

    @Override
    public void list(long handle, long from, DirectoryBuffer into) throws IOException {
        OpenDirectory directory = files.directory(handle);
        if (from == 0) {
            directory.rewind();
        }
        Attributes itself = attributes(directory.node(), status(directory.node()));
        long next = from;
        for (; next < ITSELF_AND_ABOVE; next++) {
            String name = next == 0 ? "." : "..";
            if (!into.hasRoomFor(name)) {
                return;
            }
            into.add(name, itself, null, next + 1);
        }
        for (Listed listed = directory.at(next - ITSELF_AND_ABOVE);
                listed != null && into.hasRoomFor(listed.name());
                listed = directory.at(next - ITSELF_AND_ABOVE)) {
            next++;
            if (into.wantsEntries()) {
                Entry entry = entry(directory.node(), listed);
                into.add(listed.name(), entry.attributes(), entry, next);
            } else {
                into.add(listed.name(), attributes(listed), null, next);
            }
        }
    }

    @Override
    public void releaseDirectory(long handle) {
        files.releaseDirectory(handle);
    }

    @Override
    public byte[] extendedAttribute(long id, String name) throws IOException {
        return hdfs.extended().get(nodes.path(nodes.get(id)), name);
    }

    @Override
    public Collection<String> extendedAttributes(long id) throws IOException {
        Node node = nodes.get(id);
        return hdfs.extended().names(nodes.path(node), status(node));
    }

    @Override
    public void setExtendedAttribute(long id, String name, byte[] value, int flags) throws IOException {
        Node node = nodes.get(id);
        requireWritable(node);
        hdfs.extended().set(nodes.path(node), name, value, flags);
    }

    @Override
    public void removeExtendedAttribute(long id, String name) throws IOException {
        Node node = nodes.get(id);
        requireWritable(node);
        hdfs.extended().remove(nodes.path(node), name);
    }

    @Override
    public void access(long id, int mask) throws IOException {
        Node node = nodes.get(id);
        FsAction wanted = new FsPermission((short) ((mask & 7) << 6)).getUserAction();
        if (wanted.implies(FsAction.WRITE)) {
            requireWritable(node);
        }
        if (wanted == FsAction.NONE) {
            status(node);
        } else {
            hdfs.store().fs().access(nodes.path(node), wanted);
        }
    }

    @Override
    public Statistics statistics(long node) throws IOException {
        FsStatus status = hdfs.store().fs().getStatus();
        return new Statistics(status.getCapacity(), status.getRemaining());
    }

    /** Closes the files that are being written, and leaves HDFS. */
    @Override
    public void close() throws IOException {
        files.close();
        hdfs.close();
    }

    private Entry entry(Node parent, Listed listed) {
        Node node = nodes.enter(parent, listed.name(), listed.place());
        return new Entry(node.id(), attributes(listed));
    }

    private Attributes attributes(Listed listed) {
        return listed.place().kind() == Node.Kind.GROUPS ? statuses.ofGroups(listed.status()) : plain(listed.status());
    }

    private Attributes attributes(Node node, FileStatus status) {
        return node.kind() == Node.Kind.GROUPS ? statuses.ofGroups(status) : plain(status);
    }

    private Attributes plain(FileStatus status) {
        FileWriter writer = files.writer(StatusView.fileId(status));
        return statuses.attributes(status, writer == null ? status.getLen() : writer.length());
    }

    private FileStatus status(Node node) throws IOException {
        Path path = nodes.path(node);
        return node.kind() == Node.Kind.GROUPS
                ? hdfs.store().status(path)
                : hdfs.store().status(path, node.fileId());
    }

    private Path writableChild(Node directory, String name) throws IOException {
        requireWritable(directory);
        if (directories.isGroups(directory, name)) {
            throw new ErrnoException(Errno.EROFS, "'" + name + "' of a dataset is in the mount only");
        }
        return Store.child(nodes.path(directory), name);
    }

    private void requireWritable(Node node) throws ErrnoException {
        if (!writable) {
            throw new ErrnoException(Errno.EROFS, "the mount is to be read only; mount with --write");
        }
        if (nodes.isOfGroups(node)) {
            throw new ErrnoException(Errno.EROFS, "files of groups are written by commits only");
        }
        if (StatusView.isInSnapshot(nodes.path(node).toUri().getPath())) {
            throw new ErrnoException(Errno.EROFS, "what lies in a snapshot stays as it is");
        }
    }
}
