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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.layout.PathNames;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HDFS lists a large directory page by page; a rewrite comes between two pages. */
class PagedListingTest {
    private static final int PAGE = 2;
    private static final int FILES = 5;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static FileSystem web;

    /** What happens after the next page that HDFS has read. HDFS tells its audit loggers of a page when it holds no lock any more. */
    private static final AtomicReference<Runnable> BETWEEN = new AtomicReference<>();

    /** Runs what is to happen between pages. */
    public static final class AfterEachPage implements AuditLogger {
        @Override
        public void initialize(Configuration conf) {}

        @Override
        public void logAuditEvent(
                boolean succeeded,
                String user,
                InetAddress address,
                String command,
                String source,
                String target,
                FileStatus status) {
            Runnable next = command.equals("listStatus") ? BETWEEN.getAndSet(null) : null;
            if (next != null) {
                next.run();
            }
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt(DFSConfigKeys.DFS_LIST_LIMIT, PAGE);
        conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, AfterEachPage.class.getName());
        cluster = TestCluster.startOnLocalhost(conf, 3);
        client = cluster.client();
        web = WebHdfsTestUtil.getWebHdfsFileSystem(cluster.mini().getConfiguration(0), "webhdfs");
    }

    @AfterAll
    static void stop() throws Exception {
        web.close();
        client.close();
        cluster.close();
    }

    /** A directory of the default group, its files, and what is to replace them. */
    private record Listed(Path directory, List<String> names, TestRewrite rewrite) {
        static Listed of(String name) throws Exception {
            Dataset dataset = client.createDataset("/" + name + "/meas", TestCluster.SCHEMA);
            TestCommit commit = new TestCommit(
                    dataset, "t-0-0-10", new CommitSource("t", 0, 0, 10), "PT", LocalDate.of(2014, 5, 1), FILES);
            commit.stage(client, cluster.fs()).publish(client);
            TestRewrite rewrite = TestRewrite.of(dataset, "a1", commit).stage(client, cluster.fs());
            Path directory = new Path(commit.published("time")).getParent();
            return new Listed(directory, Listed.names(cluster.fs().listStatus(directory)), rewrite);
        }

        private static List<String> names(FileStatus[] files) {
            return List.of(files).stream().map(file -> file.getPath().getName()).toList();
        }

        List<String> newNames() {
            return rewrite.published("time").stream().map(PathNames::name).toList();
        }

        void publish() {
            try {
                assertThat(rewrite.publish(client).reason()).isEmpty();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        DirectoryListing page(String after) throws Exception {
            return cluster.fs()
                    .getClient()
                    .listPaths(
                            directory.toString(),
                            after.isEmpty() ? HdfsFileStatus.EMPTY_NAME : after.getBytes(StandardCharsets.UTF_8),
                            true);
        }

        HttpResponse<String> webPage(String after) throws Exception {
            URI uri = URI.create("http://"
                    + cluster.mini().getNameNode().getHttpAddress().getHostName() + ":"
                    + cluster.mini().getNameNode().getHttpAddress().getPort() + "/webhdfs/v1" + directory
                    + "?op=LISTSTATUS_BATCH&user.name=" + System.getProperty("user.name") + "&startafter=" + after);
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static List<String> names(RemoteIterator<? extends FileStatus> files) throws Exception {
        List<String> names = new ArrayList<>();
        while (files.hasNext()) {
            names.add(files.next().getPath().getName());
        }
        return names;
    }

    @Test
    void aDirectoryOfADatasetIsListedAtOnce() throws Exception {
        Listed listed = Listed.of("at-once");
        assertThat(listed.names()).hasSize(FILES);
        assertThat(listed.page("").hasMore()).isFalse();
        assertThat(listed.page("").getPartialListing()).hasSize(FILES);
        assertThat(listed.page(listed.names().get(0)).getPartialListing()).hasSize(FILES - 1);
        assertThat(names(cluster.fs().listStatusIterator(listed.directory()))).isEqualTo(listed.names());
        assertThat(names(cluster.fs().listLocatedStatus(listed.directory()))).isEqualTo(listed.names());
        assertThat(Listed.names(web.listStatus(listed.directory()))).isEqualTo(listed.names());
        assertThat(names(web.listStatusIterator(listed.directory()))).isEqualTo(listed.names());
        assertThat(listed.webPage("").body()).contains("\"remainingEntries\":0");

        Path elsewhere = new Path("/elsewhere");
        for (int i = 0; i < FILES; i++) {
            cluster.fs().create(new Path(elsewhere, "f" + i)).close();
        }
        assertThat(cluster.fs()
                        .getClient()
                        .listPaths("/elsewhere", HdfsFileStatus.EMPTY_NAME)
                        .getPartialListing())
                .hasSize(PAGE);
        assertThat(names(web.listStatusIterator(elsewhere))).hasSize(FILES);
    }

    @Test
    void aListingShowsTheReplacedFilesOrTheNewOnes() throws Exception {
        Listed rpc = Listed.of("rpc");
        BETWEEN.set(rpc::publish);
        assertThat(Listed.names(cluster.fs().listStatus(rpc.directory()))).isEqualTo(rpc.newNames());

        Listed located = Listed.of("located");
        BETWEEN.set(located::publish);
        assertThat(names(cluster.fs().listFiles(located.directory(), true))).isEqualTo(located.newNames());

        Listed whole = Listed.of("web");
        BETWEEN.set(whole::publish);
        assertThat(Listed.names(web.listStatus(whole.directory()))).isEqualTo(whole.newNames());

        Listed batch = Listed.of("batch");
        BETWEEN.set(batch::publish);
        assertThat(names(web.listStatusIterator(batch.directory()))).isEqualTo(batch.newNames());
        assertThat(BETWEEN.get()).as("not run").isNull();
    }

    @Test
    void aPageThatMayNotFitTheOneBeforeIsRefused() throws Exception {
        Listed listed = Listed.of("pages");
        String name = listed.names().get(PAGE - 1);
        assertThat(listed.webPage(name).statusCode()).isEqualTo(200);
        listed.publish();

        assertThatThrownBy(() -> listed.page(name))
                .hasMessageContaining("files of the dataset were merged there")
                .hasMessageContaining("list it again");
        assertThat(listed.page("").getPartialListing()).hasSize(1);
        assertThat(listed.page(listed.newNames().get(0)).getPartialListing()).isEmpty();
    }
}
