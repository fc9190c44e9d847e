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
package org.hadoopmpsr.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.rest.RESTCatalog;
import org.awaitility.Awaitility;
import org.hadoopmpsr.client.MpsrClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway that is killed in the middle of an append has appended all or nothing; sent again to another one, the append is there once. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class KilledGatewayTest {
    private static final int RECORDS = 5_000;

    /** When the gateway is killed. */
    enum Moment {
        FIRST_FILE_IS_STAGED,
        FILES_OF_ALL_GROUPS_ARE_STAGED,
        COMMIT_IS_PUBLISHED
    }

    private final List<Map<String, Object>> appended = new ArrayList<>();
    private RunningGateway gateway;

    @BeforeAll
    void start() throws Exception {
        gateway = new RunningGateway();
    }

    @AfterAll
    void stop() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNextTryAppendsOnce(Moment moment) throws Exception {
        AppendingClient client = new AppendingClient(gateway);
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        try (OtherGateway other = new OtherGateway(gateway, 5, 4);
                RESTCatalog catalog = client.catalog(user)) {
            Table table = catalog.loadTable(AppendingClient.MEAS);
            List<Map<String, Object>> before = client.with(appended);
            List<Map<String, Object>> more = AppendingClient.records(16_001, RECORDS);
            Snapshot snapshot =
                    table.newFastAppend().appendFile(client.write(table, more)).apply();
            String body = AppendingClient.request(snapshot);
            URI killed = other.uri();
            Future<Integer> answer = CompletableFuture.supplyAsync(() -> status(client, killed, body, user));
            Awaitility.await()
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> answer.isDone() || isReached(moment, snapshot));
            other.close();
            assertThat(answer.get()).isIn(0, 200);
            appended.addAll(more);
            List<Map<String, Object>> after = client.with(appended);
            client.check(catalog, isPublished(snapshot) ? after : before, "killed when " + moment);
            assertThat(client.post(gateway.uri(), body, user).statusCode()).isEqualTo(200);
            client.check(catalog, after, "sent again, killed when " + moment);
        }
    }

    private boolean isReached(Moment moment, Snapshot snapshot) {
        return switch (moment) {
            case FIRST_FILE_IS_STAGED -> staged(snapshot) > 0;
            case FILES_OF_ALL_GROUPS_ARE_STAGED -> staged(snapshot) >= 3;
            case COMMIT_IS_PUBLISHED -> isPublished(snapshot);
        };
    }

    /** How many files of the append are there that no reader sees. */
    private int staged(Snapshot snapshot) {
        try {
            DistributedFileSystem fs = gateway.dfs().getFileSystem();
            int found = 0;
            RemoteIterator<? extends FileStatus> files = fs.listFiles(new org.apache.hadoop.fs.Path("/"), true);
            while (files.hasNext()) {
                String path = files.next().getPath().toString();
                found += path.contains("/" + id(snapshot)) ? 1 : 0;
            }
            return found;
        } catch (IOException e) {
            return 0; // a directory that has just been moved away
        }
    }

    private boolean isPublished(Snapshot snapshot) {
        try (MpsrClient namenode = gateway.dataset().client()) {
            return namenode.segments("/cals/meas").segments().stream()
                    .anyMatch(segment -> segment.id().startsWith(id(snapshot)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins the names of the commits of a snapshot. */
    private static String id(Snapshot snapshot) {
        return "iceberg-" + Long.toUnsignedString(snapshot.snapshotId()) + "-";
    }

    /** The answer to a commit; 0 if none came. */
    private static int status(AppendingClient client, URI gateway, String body, String user) {
        try {
            return client.post(gateway, body, user).statusCode();
        } catch (ConnectException e) {
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
