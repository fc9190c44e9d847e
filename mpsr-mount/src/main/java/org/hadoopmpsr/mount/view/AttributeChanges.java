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
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hadoopmpsr.mount.fuse.AttributeChange;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.jspecify.annotations.Nullable;

/** {@code chmod}, {@code chown}, {@code truncate} and {@code touch}. Thread-safe. */
final class AttributeChanges {
    private static final int RIGHTS = 01777;

    private final Store store;
    private final Owners owners;

    AttributeChanges(Store store, Owners owners) {
        this.store = store;
        this.owners = owners;
    }

    /**
     * Changes what differs.
     *
     * @param status what the file is like before
     * @param writer of the file; null if nobody of the mount writes it
     */
    void apply(Path path, FileStatus status, AttributeChange change, @Nullable FileWriter writer) throws IOException {
        Long size = change.size();
        if (size != null) {
            resize(path, status, size, writer);
        }
        Integer mode = change.mode();
        if (mode != null && (mode & RIGHTS) != status.getPermission().toShort()) {
            store.fs().setPermission(path, new FsPermission((short) (mode & RIGHTS)));
        }
        own(path, status, change);
        Long modified = change.modificationTimeMs();
        Long read = change.accessTimeMs();
        if (modified != null || read != null) {
            FileWriter.Times times = new FileWriter.Times(modified == null ? -1 : modified, read == null ? -1 : read);
            if (writer == null) {
                store.fs().setTimes(path, times.modificationMs(), times.accessMs());
            } else {
                writer.setTimes(times);
            }
        }
    }

    private void resize(Path path, FileStatus status, long size, @Nullable FileWriter writer) throws IOException {
        long length = writer == null ? status.getLen() : writer.length();
        if (size == length) {
            return;
        }
        if (size != 0) {
            throw new ErrnoException(
                    Errno.EOPNOTSUPP,
                    "'" + path + "' has " + length + " bytes and cannot get " + size + "; files are made empty only");
        }
        if (writer == null) {
            store.truncate(path);
        } else {
            writer.truncate();
        }
    }

    private void own(Path path, FileStatus status, AttributeChange change) throws IOException {
        Integer user = change.user();
        Integer group = change.group();
        String newUser = user == null || user == owners.user(status.getOwner()) ? null : owners.userName(user);
        String newGroup = group == null || group == owners.group(status.getGroup()) ? null : owners.groupName(group);
        if ("".equals(newUser) || "".equals(newGroup)) {
            throw new ErrnoException(Errno.EINVAL, "this host has no name for the new owner " + user + ":" + group);
        }
        if (newUser != null || newGroup != null) {
            store.fs().setOwner(path, newUser, newGroup);
        }
    }
}
