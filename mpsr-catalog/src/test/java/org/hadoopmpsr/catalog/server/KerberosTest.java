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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.security.token.Token;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.rest.RESTCatalog;
import org.hadoopmpsr.testing.KerberosRealm;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** A gateway of a cluster with Kerberos lets users in by their tickets or their delegation tokens, each with his own rights. */
@TestInstance(Lifecycle.PER_CLASS)
class KerberosTest {
    private static final String MEAS = "/v1/namespaces/cals/tables/meas";

    private KerberosRealm realm;
    private MiniDFSCluster dfs;
    private CatalogServer server;
    private UserGroupInformation alice;
    private UserGroupInformation bob;

    @BeforeAll
    void start() throws Exception {
        realm = KerberosRealm.start();
        Configuration conf = MiniCluster.stock();
        MiniCluster.addThreeGroups(conf);
        conf.set("dfs.mpsr.replica.group.device.predicates", "device");
        realm.secure(conf);
        conf.set("hadoop.proxyuser.hdfs.hosts", "*");
        conf.set("hadoop.proxyuser.hdfs.users", "alice,bob");
        KerberosRealm.enter(conf);
        ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
        UserGroupInformation.loginUserFromKeytab(realm.principal("hdfs"), realm.keytab("hdfs"));
        dfs = MiniCluster.start(MiniCluster.builder(conf, 3, 3));
        alice = realm.login("alice");
        bob = realm.login("bob");
        new WrittenDataset(dfs, "/cals/meas").commit(new Random(RunningGateway.SEED), 20);
        FileSystem fs = dfs.getFileSystem();
        fs.setOwner(new Path("/cals/meas"), "alice", "alice");
        fs.setPermission(new Path("/cals/meas"), new FsPermission((short) 0700));
        server = CatalogServer.start(
                new Configuration(dfs.getConfiguration(0)), dfs.getURI(), RunningGateway.options(5, 4));
    }

    @AfterAll
    void stop() throws Exception {
        if (server != null) {
            server.close();
        }
        if (dfs != null) {
            dfs.shutdown(true);
        }
        if (realm != null) {
            realm.close();
        }
    }

    /** The name that the ticket of the web server has. */
    private URI uri() {
        return URI.create("http://localhost:" + server.uri().getPort());
    }

    private int withTicket(UserGroupInformation user, String path) throws Exception {
        URL url = uri().resolve(path).toURL();
        return user.doAs((PrivilegedExceptionAction<Integer>) () -> {
            HttpURLConnection connection = new AuthenticatedURL().openConnection(url, new AuthenticatedURL.Token());
            return connection.getResponseCode();
        });
    }

    private int withHeader(String path, String header) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri().resolve(path));
        if (!header.isEmpty()) {
            request.header("Authorization", header);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.discarding())
                .statusCode();
    }

    private String token(UserGroupInformation user) throws Exception {
        Token<?> token = user.doAs((PrivilegedExceptionAction<Token<?>>) () ->
                FileSystem.newInstance(dfs.getURI(), dfs.getConfiguration(0)).getDelegationToken("hdfs"));
        return token.encodeToUrlString();
    }

    @Test
    void whoHasATicketReadsWithHisOwnRights() throws Exception {
        assertThat(withTicket(alice, MEAS)).isEqualTo(200);
        assertThat(withTicket(bob, MEAS)).isIn(403, 404);
        assertThat(withTicket(bob, "/v1/namespaces")).isEqualTo(200);
    }

    /** The gateway is a proxy user for some users alone. */
    @Test
    void whomTheGatewayMayNotSpeakForIsRefused() throws Exception {
        assertThat(withTicket(realm.login("carol"), MEAS)).isEqualTo(403);
    }

    @Test
    void whoHasADelegationTokenReadsWithHisOwnRights() throws Exception {
        assertThat(withHeader(MEAS, "Bearer " + token(alice))).isEqualTo(200);
        assertThat(withHeader(MEAS, "Bearer " + token(bob))).isIn(403, 404);
        try (RESTCatalog catalog = new RESTCatalog()) {
            catalog.initialize("mpsr", Map.of("uri", uri().toString(), "token", token(alice)));
            assertThat(catalog.listTables(Namespace.of("cals"))).hasSize(1);
        }
        try (RESTCatalog catalog = new RESTCatalog()) {
            assertThatThrownBy(() -> catalog.initialize("mpsr", Map.of("uri", uri().toString(), "token", "forged")))
                    .isInstanceOf(NotAuthorizedException.class);
        }
    }

    /** As Hive and Trino do, whose Hadoop gets a token of the gateway by their tickets, and ends it when it is done. */
    @Test
    void whoPlansHimselfReadsManifestsWithHisOwnRights() throws Exception {
        try (RESTCatalog catalog = new RESTCatalog()) {
            catalog.initialize("mpsr", Map.of("uri", uri().toString(), "token", token(alice)));
            Path list = new Path(catalog.loadTable(TableIdentifier.of("cals", "meas"))
                    .currentSnapshot()
                    .manifestListLocation());
            assertThat(start(alice, list)).isEqualTo("Obj");
            assertThat(start(alice, list)).isEqualTo("Obj");
            assertThatThrownBy(() -> start(bob, list)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> start(UserGroupInformation.createRemoteUser("alice"), list))
                    .isInstanceOf(IOException.class);
        }
    }

    private String start(UserGroupInformation user, Path file) throws Exception {
        return user.doAs((PrivilegedExceptionAction<String>) () -> {
            try (FileSystem web = FileSystem.newInstance(file.toUri(), dfs.getConfiguration(0));
                    FSDataInputStream in = web.open(file)) {
                return new String(in.readNBytes(3), StandardCharsets.US_ASCII);
            }
        });
    }

    @Test
    void aTokenOfSomebodyElsesMakingIsRefused() throws Exception {
        Token<?> token = new Token<>();
        token.decodeFromUrlString(token(alice));
        byte[] forged = token.getPassword().clone();
        forged[0] ^= 1;
        Token<?> other = new Token<>(token.getIdentifier(), forged, token.getKind(), token.getService());
        assertThat(withHeader(MEAS, "Bearer " + other.encodeToUrlString())).isEqualTo(401);
    }

    @Test
    void nobodyElseIsLetIn() throws Exception {
        for (String path : new String[] {MEAS, "/v1/config", "/jmx", "/conf", "/stacks"}) {
            assertThat(withHeader(path, "")).as(path).isEqualTo(401);
            assertThat(withHeader(path, "Basic YWxpY2U6")).as(path).isEqualTo(401);
            assertThat(withHeader(path, "Bearer x")).as(path).isEqualTo(401);
            assertThat(withHeader(path + "?user.name=alice", "")).as(path).isEqualTo(401);
        }
        assertThatThrownBy(() -> withTicket(UserGroupInformation.createRemoteUser("alice"), MEAS))
                .hasRootCauseInstanceOf(Exception.class);
    }
}
