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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;

/** The calls to HDFS that a mount needs, with the rules of POSIX where HDFS has none. Thread-safe. */
final class Store {
    private static final int RIGHTS = 01777;
    private static final int BUFFER = 1 << 16;
    /** Below it HDFS has each file and directory under its number. */
    private static final String INODES = "/.reserved/.inodes/";

    private final DistributedFileSystem fs;

    Store(DistributedFileSystem fs) {
        this.fs = fs;
    }

    DistributedFileSystem fs() {
        return fs;
    }

    /**
     * The path of a name in a directory.
     *
     * @throws ErrnoException {@code ENOENT} if HDFS can have no such name
     */
    static Path child(Path directory, String name) throws ErrnoException {
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf(':') >= 0
                || name.indexOf('/') >= 0) {
            throw new ErrnoException(Errno.ENOENT, "HDFS has no names such as '" + name + "'");
        }
        String above = directory.toUri().getPath();
        return new Path(null, null, (above.equals("/") ? "" : above) + "/" + name);
    }

    /** The path of a live file by its number: it leads to no other file, whatever lies at the name that the file had. */
    static Path byId(long fileId) {
        return new Path(null, null, INODES + fileId);
    }

    FileStatus status(Path path) throws IOException {
        return fs.getFileStatus(path);
    }

    /** The status of a path, which must have the number that the kernel knows it by. */
    FileStatus status(Path path, long fileId) throws IOException {
        FileStatus status = fs.getFileStatus(path);
        if (StatusView.fileId(status) != fileId) {
            throw new ErrnoException(Errno.ESTALE, "'" + path + "' is another file than before");
        }
        return status;
    }

    /** A reader that needs no NameNode from then on, as long as the file keeps its blocks. */
    FileReader open(Path path, FileStatus status) throws IOException {
        // a new connection to a DataNode asks the client for these, which keeps them for an hour
        fs.getServerDefaults(path);
        return new FileReader(fs.open(path), status.getLen());
    }

    FSDataOutputStream create(Path path, int mode) throws IOException {
        return fs.createNonRecursive(
                path,
                new FsPermission((short) (mode & RIGHTS)),
                EnumSet.of(CreateFlag.CREATE),
                BUFFER,
                fs.getDefaultReplication(path),
                fs.getDefaultBlockSize(path),
                null);
    }

    void truncate(Path path) throws IOException {
        if (!fs.truncate(path, 0)) {
            throw new ErrnoException(Errno.EBUSY, "HDFS has not made '" + path + "' empty yet");
        }
    }

    void makeDirectory(Path path, int mode) throws IOException {
        if (fs.exists(path)) {
            throw new ErrnoException(Errno.EEXIST, "'" + path + "' exists");
        }
        FsPermission rights = new FsPermission((short) (mode & RIGHTS));
        fs.mkdir(path, rights);
        if (rights.getStickyBit()) {
            fs.setPermission(path, rights); // which HDFS leaves out above
        }
    }

    void unlink(Path path) throws IOException {
        if (status(path).isDirectory()) {
            throw new ErrnoException(Errno.EISDIR, "'" + path + "' is a directory");
        }
        delete(path);
    }

    void removeDirectory(Path path) throws IOException {
        if (!status(path).isDirectory()) {
            throw new ErrnoException(Errno.ENOTDIR, "'" + path + "' is a file");
        }
        delete(path);
    }

    private void delete(Path path) throws IOException {
        if (!fs.delete(path, false)) {
            throw new ErrnoException(Errno.ENOENT, "there is no '" + path + "'");
        }
    }

    void rename(Path from, Path to, boolean replace) throws IOException {
        FileStatus source = status(from);
        if (fs.exists(to)) {
            FileStatus target = status(to);
            if (!replace) {
                throw new ErrnoException(Errno.EEXIST, "'" + to + "' exists");
            }
            if (source.isDirectory() != target.isDirectory()) {
                throw new ErrnoException(
                        target.isDirectory() ? Errno.EISDIR : Errno.ENOTDIR,
                        "'" + from + "' and '" + to + "' are not both files or both directories");
            }
            if (target.isDirectory() && fs.listStatusIterator(to).hasNext()) {
                throw new ErrnoException(Errno.ENOTEMPTY, "'" + to + "' is not empty");
            }
        }
        if (to.toUri().getPath().startsWith(from.toUri().getPath() + "/")) {
            throw new ErrnoException(Errno.EINVAL, "'" + to + "' lies in '" + from + "'");
        }
        fs.rename(from, to, replace ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    /** The files in a directory that readers of data read, with their hosts; or the file itself. */
    List<LocatedFileStatus> filesAt(Path path) throws IOException {
        List<LocatedFileStatus> files = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> found = fs.listLocatedStatus(path);
        while (found.hasNext()) {
            LocatedFileStatus file = found.next();
            boolean itself =
                    file.getPath().toUri().getPath().equals(path.toUri().getPath());
            if (file.isFile() && (itself || !PathNames.isHidden(file.getPath().getName()))) {
                files.add(file);
            }
        }
        return files;
    }
}
