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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.jspecify.annotations.Nullable;

/**
 * The ways to lose and to gain the right to read a dataset at {@code …/open/meas}, which belongs to {@code owner:team},
 * has mode 750, and holds one commit. Each is carried out by a superuser.
 */
enum RightsWay {
    NONE((change, path) -> path),
    CHMOD_700((change, path) -> change.mode(path, "", "700")),
    CHMOD_711((change, path) -> change.mode(path, "", "711")),
    CHMOD_755((change, path) -> change.mode(path, "", "755")),
    CHMOD_OF_THE_OWNER((change, path) -> change.mode(path, "", "050")),
    CHMOD_OF_THE_PARENT((change, path) -> change.mode(path, "/..", "700")),
    CHOWN((change, path) -> change.owner(path, "", "stranger", null)),
    CHGRP((change, path) -> change.owner(path, "", null, "stranger-group")),
    ACL_GRANTS((change, path) -> change.acl(path, "", "user:named:r-x")),
    ACL_DENIES((change, path) -> change.acl(path, "", "user:member:---")),
    ACL_OF_A_GROUP((change, path) -> change.acl(path, "", "group:named-group:r-x")),
    ACL_MASK((change, path) -> change.acl(path, "", "user:named:r-x,group::r-x,mask::---")),
    ACL_OF_WHAT_COMES((change, path) ->
            change.acl(path, "", "user:named:r-x,default:user:named:r-x,default:group::---,default:other::---")),
    ACL_OF_WHAT_COMES_DENIES((change, path) -> change.acl(path, "", "user:named:r-x,default:user:named:---")),
    PARTITION_IS_NARROWER((change, path) -> change.mode(path, "/" + change.partition(), "700")),
    PARTITION_WAS_NARROWER((change, path) -> {
        change.mode(path, "/" + change.partition(), "700");
        return change.mode(path, "/" + change.partition(), "755");
    }),
    PARTITION_OF_AN_ACL((change, path) -> change.acl(path, "/" + change.partition(), "user:member:---")),
    FILE_IS_NARROWER((change, path) -> change.mode(path, "/" + change.file(), "600")),
    FILE_IS_ANOTHERS((change, path) -> {
        change.owner(path, "/" + change.file(), "owner", "nobody");
        return change.mode(path, "/" + change.file(), "640");
    }),
    RENAME_UNDER_A_PRIVATE_DIRECTORY((change, path) -> change.rename(path, "/private")),
    RENAME_BACK((change, path) -> change.rename(change.rename(path, "/private"), "/open")),
    TRASH((change, path) -> change.trash(path)),
    DELETE((change, path) -> change.delete(path)),
    DELETE_WITH_A_SNAPSHOT((change, path) -> {
        change.snapshot(path);
        return change.delete(path);
    }),
    SNAPSHOT_AND_CHMOD((change, path) -> {
        change.snapshot(path);
        return change.mode(path, "", "700");
    }),
    DROP((change, path) -> change.drop(path, "750")),
    DROP_AND_CHMOD((change, path) -> change.drop(path, "700")),
    DROP_AND_NARROW_A_FILE((change, path) -> {
        change.drop(path, "750");
        return change.mode(path, "/" + change.file(), "600");
    });

    private final Way way;

    RightsWay(Way way) {
        this.way = way;
    }

    private interface Way {
        /** @return the path of the dataset directory, or null if it is gone */
        @Nullable
        String go(Change change, String path) throws IOException;
    }

    /** @return the path of the dataset directory, or null if it is gone */
    @Nullable
    String go(MpsrClient admin, DistributedFileSystem fs, Dataset dataset, TestCommit commit) throws IOException {
        return way.go(new Change(admin, fs, dataset, commit), dataset.path());
    }

    /** True if the directory stays a dataset, wherever it is. */
    boolean leavesADataset() {
        return !name().startsWith("DELETE") && !name().startsWith("DROP");
    }

    private record Change(MpsrClient admin, DistributedFileSystem fs, Dataset dataset, TestCommit commit) {
        String file() {
            return commit.file(dataset.groups().defaultName()).relativePath();
        }

        String partition() {
            return new Path(file()).getParent().toString();
        }

        private static Path at(String path, String below) {
            return below.equals("/..") ? new Path(path).getParent() : new Path(path + below);
        }

        String mode(String path, String below, String mode) throws IOException {
            fs.setPermission(at(path, below), new FsPermission(mode));
            return path;
        }

        String owner(String path, String below, @Nullable String user, @Nullable String group) throws IOException {
            fs.setOwner(at(path, below), user, group);
            return path;
        }

        String acl(String path, String below, String entries) throws IOException {
            fs.modifyAclEntries(at(path, below), AclEntry.parseAclSpec(entries, true));
            return path;
        }

        /** Into another directory beside the parent. */
        String rename(String path, String directory) throws IOException {
            Path from = new Path(path);
            Path to = new Path(from.getParent().getParent() + directory);
            fs.mkdirs(to);
            if (directory.equals("/private")) {
                fs.setPermission(to, new FsPermission("700"));
            }
            fs.rename(from, to);
            return to + "/" + from.getName();
        }

        /** Into the trash of the superuser, as {@code hdfs dfs -rm -r} does. */
        String trash(String path) throws IOException {
            Trash trash = new Trash(fs, fs.getConf());
            trash.moveToTrash(new Path(path));
            return trash.getCurrentTrashDir(new Path(path)).toUri().getPath() + path;
        }

        @Nullable
        String delete(String path) throws IOException {
            fs.delete(new Path(path), true);
            return null;
        }

        void snapshot(String path) throws IOException {
            Path parent = new Path(path).getParent();
            fs.allowSnapshot(parent);
            fs.createSnapshot(parent, "s");
        }

        String drop(String path, String mode) throws IOException {
            admin.dropDataset(path, false);
            return mode(path, "", mode);
        }
    }
}
