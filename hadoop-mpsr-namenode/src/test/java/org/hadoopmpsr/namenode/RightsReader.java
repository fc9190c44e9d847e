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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.plan.Filter;
import org.jspecify.annotations.Nullable;

/** A user with clients of all kinds, who tries to read. */
final class RightsReader implements AutoCloseable {
    private final String name;
    private final UserGroupInformation user;
    private final DistributedFileSystem fs;
    private final FileSystem web;
    private final MpsrClient client;

    RightsReader(TestCluster cluster, UserGroupInformation user) throws Exception {
        this.name = user.getShortUserName();
        this.user = user;
        this.fs = user.doAs((PrivilegedExceptionAction<DistributedFileSystem>) () ->
                (DistributedFileSystem) FileSystem.newInstance(cluster.fs().getUri(), cluster.conf()));
        this.web = WebHdfsTestUtil.getWebHdfsFileSystemAs(user, cluster.mini().getConfiguration(0), "webhdfs");
        this.client = user.doAs((PrivilegedExceptionAction<MpsrClient>) cluster::client);
    }

    /** A way to learn something of a file of another group. */
    enum Way {
        OPEN((reader, target) -> read(reader.fs, target.file())),
        WEB_OPEN((reader, target) -> read(reader.web, target.file())),
        OPEN_BY_NUMBER((reader, target) -> read(reader.fs, target.byNumber())),
        OPEN_BY_LINK((reader, target) -> read(reader.fs, target.link())),
        STATUS((reader, target) -> reader.fs.getFileStatus(target.file())),
        ACCESS((reader, target) -> reader.fs.access(target.file(), FsAction.READ)),
        LIST((reader, target) -> reader.fs.listStatus(target.file().getParent())),
        LIST_WITH_LOCATIONS(
                (reader, target) -> reader.fs.listLocatedStatus(target.root()).hasNext()),
        WEB_LIST((reader, target) -> reader.web.listStatus(target.root())),
        SUMMARY((reader, target) -> reader.fs.getContentSummary(target.root())),
        GETFATTR((reader, target) -> reader.fs.getXAttrs(target.file())),
        CHECKSUM((reader, target) -> reader.fs.getFileChecksum(target.file())),
        BLOCK_LOCATIONS((reader, target) -> reader.fs.getFileBlockLocations(target.file(), 0, 1)),
        RAW_BLOCK_LOCATIONS(
                (reader, target) -> reader.fs.getFileBlockLocations(new Path("/.reserved/raw" + target.file()), 0, 1));

        private final Read read;

        Way(Read read) {
            this.read = read;
        }
    }

    private interface Read {
        void by(RightsReader reader, Target target) throws IOException;
    }

    /**
     * A file of another group.
     *
     * @param root the directory of the group
     * @param byNumber the file's path by the number of its inode
     * @param link a symbolic link to the file
     */
    record Target(Path root, Path file, Path byNumber, Path link) {}

    private static void read(FileSystem fs, Path file) throws IOException {
        try (InputStream in = fs.open(file)) {
            in.readNBytes(1_000);
        }
    }

    /** True if the user reads in this way. */
    boolean reads(Way way, Target target) throws Exception {
        return allowed(() -> way.read.by(this, target));
    }

    /** What HDFS says about the dataset directory itself: true if the user can list and read all of it. */
    boolean readsAllOf(@Nullable String directory) throws Exception {
        if (directory == null) {
            return isSuperuser();
        }
        return allowed(() -> {
            Deque<Path> open = new ArrayDeque<>();
            open.add(new Path(directory));
            while (!open.isEmpty()) {
                for (FileStatus status : fs.listStatus(open.remove())) {
                    if (status.isDirectory()) {
                        open.add(status.getPath());
                    } else {
                        read(fs, status.getPath());
                    }
                }
            }
        });
    }

    /** True if a plan tells the user of files, whichever group it chooses. */
    boolean isPlanned(String path, @Nullable String group) throws Exception {
        ReadPlan[] plan = new ReadPlan[1];
        boolean answered =
                allowed(() -> plan[0] = client.plan(path, Filter.ALL, group).orElseThrow());
        if (answered && plan[0].stock()) {
            assertThat(plan[0].files()).isEmpty();
            assertThat(plan[0].candidates()).isEmpty();
            assertThat(plan[0].defaultTotals()).isNull();
            assertThat(plan[0].generation()).isZero();
        }
        return answered && !plan[0].stock() && !plan[0].files().isEmpty();
    }

    /** True if a description tells the user of files and records. */
    boolean isDescribed(String path) throws Exception {
        Dataset[] dataset = new Dataset[1];
        boolean answered = allowed(() -> dataset[0] = client.getDataset(path));
        if (answered && dataset[0].untold() != null) {
            assertThat(dataset[0].representations())
                    .hasSize(3)
                    .allMatch(
                            r -> r.files() == 0 && r.bytes() == 0 && r.content().equals(ContentHashes.EMPTY))
                    .allMatch(r -> String.valueOf(r.unusable()).contains("may not read all files"));
            assertThat(dataset[0].store()).isEqualTo(new Dataset.StoreUse(0, 0));
            assertThat(dataset[0].maintenance()).isEmpty();
        } else if (answered) {
            assertThat(dataset[0].maintenance()).hasSize(1);
        }
        return answered && dataset[0].untold() == null;
    }

    boolean isSuperuser() throws IOException {
        return name.equals(UserGroupInformation.getLoginUser().getShortUserName());
    }

    private interface Attempt {
        void run() throws IOException;
    }

    private boolean allowed(Attempt attempt) throws Exception {
        return user.doAs((PrivilegedExceptionAction<Boolean>) () -> {
            try {
                attempt.run();
                return true;
            } catch (AccessControlException e) {
                return false;
            }
        });
    }

    @Override
    public void close() throws IOException {
        client.close();
        web.close();
        fs.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
