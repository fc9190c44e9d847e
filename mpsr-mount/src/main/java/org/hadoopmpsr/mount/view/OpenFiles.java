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

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.hadoopmpsr.mount.fuse.Opened;
import org.jspecify.annotations.Nullable;

/** The open files and directories, by the handles that the kernel has. Thread-safe. */
final class OpenFiles {
    private static final int ACCESS_MODE = 3;
    private static final int TRUNCATE = 01000;
    private static final int APPEND = 02000;

    private final Store store;
    private final NodeTable nodes;
    private final Writers writers = new Writers();
    private final Map<Long, OpenFile> files = new ConcurrentHashMap<>();
    private final Map<Long, OpenDirectory> directories = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    OpenFiles(Store store, NodeTable nodes) {
        this.store = store;
        this.nodes = nodes;
    }

    /** True if the flags of {@code open(2)} ask for more than reads. */
    static boolean isToWrite(int flags) {
        return (flags & (ACCESS_MODE | TRUNCATE)) != 0;
    }

    /** Opens a file. */
    Opened open(Node node, int flags) throws IOException {
        Path path = nodes.path(node);
        FileStatus status = store.status(path, node.fileId());
        if (status.isDirectory()) {
            throw new ErrnoException(Errno.EISDIR, "'" + path + "' is a directory");
        }
        return isToWrite(flags) ? openToWrite(node, status, flags) : openToRead(node, status);
    }

    private Opened openToRead(Node node, FileStatus status) throws IOException {
        FileWriter writer = writers.of(node.fileId());
        if (writer != null) {
            writer.flush();
        }
        FileReader reader = reader(node, status);
        boolean growing = writer == null && !store.fs().isFileClosed(nodes.path(node));
        OpenFile file = new OpenFile(node, status, source(node, status), reader, null, false, growing);
        boolean same = node.isAsBefore(reader.length(), status.getModificationTime());
        return opened(file, growing ? Opened.Cache.NONE : same ? Opened.Cache.KEEP : Opened.Cache.RENEW);
    }

    private Opened openToWrite(Node node, FileStatus status, int flags) throws IOException {
        store.fs().access(Store.byId(node.fileId()), FsAction.WRITE);
        FileWriter writer = writers.join(node.fileId(), () -> writer(node, null, status.getLen()));
        try {
            if ((flags & TRUNCATE) != 0) {
                writer.truncate();
            }
        } catch (IOException | RuntimeException e) {
            writers.leave(node.fileId());
            throw e;
        }
        return opened(node, status, writer, flags);
    }

    /** Takes a new file, which is being written. */
    Opened created(Node node, FileStatus status, FSDataOutputStream out, int flags) {
        return opened(node, status, writers.join(node.fileId(), () -> writer(node, out, 0)), flags);
    }

    private Opened opened(Node node, FileStatus status, FileWriter writer, int flags) {
        boolean atEnd = (flags & APPEND) != 0;
        return opened(new OpenFile(node, status, source(node, status), null, writer, atEnd, false), Opened.Cache.RENEW);
    }

    private Opened opened(OpenFile file, Opened.Cache cache) {
        long handle = last.incrementAndGet();
        files.put(handle, file);
        return new Opened(handle, cache);
    }

    private OpenFile.Source source(Node node, FileStatus status) {
        return new OpenFile.Source() {
            @Override
            public FileReader open() throws IOException {
                return reader(node, status);
            }

            @Override
            public @Nullable FileWriter writer() {
                return writers.of(node.fileId());
            }
        };
    }

    private FileReader reader(Node node, FileStatus status) throws IOException {
        return store.open(nodes.path(node), status);
    }

    /** A writer that finds the file by its number. Another file may have taken its name since the kernel asked. */
    private FileWriter writer(Node node, @Nullable FSDataOutputStream out, long length) {
        Path path = Store.byId(node.fileId());
        FileWriter.Target target = new FileWriter.Target() {
            @Override
            public FSDataOutputStream append() throws IOException {
                return store.fs().append(path);
            }

            @Override
            public void truncate() throws IOException {
                store.truncate(path);
            }

            @Override
            public void setTimes(FileWriter.Times times) throws IOException {
                store.fs().setTimes(path, times.modificationMs(), times.accessMs());
            }
        };
        return new FileWriter(target, out, length);
    }

    /** The open file of a handle. */
    OpenFile file(long handle) throws ErrnoException {
        OpenFile file = files.get(handle);
        if (file == null) {
            throw new ErrnoException(Errno.EBADF, "there is no open file " + handle);
        }
        return file;
    }

    /** The open file of a handle; null if there is none. */
    @Nullable
    OpenFile known(long handle) {
        return files.get(handle);
    }

    /** Closes a file, and waits until HDFS has what was written. */
    void release(long handle) throws IOException {
        OpenFile file = files.remove(handle);
        if (file == null) {
            return;
        }
        try {
            file.closeReader();
        } finally {
            if (file.writer() != null) {
                writers.leave(file.node().fileId());
            }
        }
    }

    /** The writer of a file; null if nobody of the mount writes it. */
    @Nullable
    FileWriter writer(long fileId) {
        return writers.of(fileId);
    }

    long openDirectory(OpenDirectory directory) {
        long handle = last.incrementAndGet();
        directories.put(handle, directory);
        return handle;
    }

    OpenDirectory directory(long handle) throws ErrnoException {
        OpenDirectory directory = directories.get(handle);
        if (directory == null) {
            throw new ErrnoException(Errno.EBADF, "there is no open directory " + handle);
        }
        return directory;
    }

    void releaseDirectory(long handle) {
        directories.remove(handle);
    }

    /** Closes all files that are being written. */
    void close() {
        writers.close();
    }
}
