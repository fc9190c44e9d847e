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
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.token.Token;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.keytab.KeytabEntry;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.cli.MpsrCommand;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.testing.KerberosRealm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A secure cluster: tickets from a real Kerberos server, block tokens, SASL data transfer, service-level authorization. */
class KerberosTest {
    private static final Duration RENEW_INTERVAL = Duration.ofSeconds(6);
    private static final String PATH = "/secure/meas";

    private static LogLines log;
    private static KerberosRealm realm;
    private static TestCluster cluster;
    private static UserGroupInformation ingest;
    private static UserGroupInformation analyst;
    private static UserGroupInformation gateway;
    private static Dataset dataset;
    /** Of the analyst, not used before it has expired. */
    private static Credentials expiring;

    /** A call with some client. */
    private interface Call<T> {
        T on(MpsrClient client) throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        log = LogLines.start();
        realm = KerberosRealm.start();
        Configuration conf = realm.secure(TestCluster.threeGroups());
        conf.set("dfs.mpsr.replica.groups", "time,signal");
        conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
        conf.setLong(DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_RENEW_INTERVAL_KEY, RENEW_INTERVAL.toMillis());
        conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, AuditLines.class.getName());
        conf.set(
                CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES,
                "hdfs=supergroup;ingest=ingest;analyst=analysts;gateway=gateway;nobody=nobody");
        conf.set("hadoop.proxyuser.gateway.hosts", "*");
        conf.set("hadoop.proxyuser.gateway.groups", "analysts");
        KerberosRealm.enter(conf);
        cluster = TestCluster.startOnLocalhost(conf, 2);
        ingest = realm.login("ingest");
        analyst = realm.login("analyst");
        gateway = realm.login("gateway");
        Path path = new Path(PATH);
        cluster.fs().mkdirs(path);
        cluster.fs().setOwner(path, "ingest", "analysts");
        cluster.fs().setPermission(path, new FsPermission("750"));
        dataset = with(realm.loginSuperuser(), c -> c.createDataset(PATH, TestCluster.SCHEMA));
        commit(ingest, 0);
        expiring = tokens(analyst);
    }

    @AfterAll
    static void stop() {
        cluster.close();
        realm.close();
        log.close();
    }

    private static <T> T with(UserGroupInformation user, Call<T> call) throws Exception {
        return with(user, cluster.mini().getConfiguration(0), call);
    }

    private static <T> T with(UserGroupInformation user, Configuration conf, Call<T> call) throws Exception {
        return user.doAs((PrivilegedExceptionAction<T>) () -> {
            try (MpsrClient client = MpsrClient.create(conf, FileSystem.getDefaultUri(conf))) {
                return call.on(client);
            }
        });
    }

    private static PublishResult commit(UserGroupInformation user, long start) throws Exception {
        return with(user, client -> {
            try (DistributedFileSystem fs = (DistributedFileSystem)
                    FileSystem.newInstance(cluster.fs().getUri(), cluster.mini().getConfiguration(0))) {
                return new TestCommit(dataset, start, start + 10)
                        .stage(client, fs)
                        .publish(client);
            }
        });
    }

    private static int planned(UserGroupInformation user, Configuration conf) throws Exception {
        return with(user, conf, c -> c.plan(PATH, Filter.ALL, null).orElseThrow())
                .files()
                .size();
    }

    private static int planned(UserGroupInformation user) throws Exception {
        return planned(user, cluster.mini().getConfiguration(0));
    }

    /** The delegation token that a user with a ticket gets for a file system. */
    private static Credentials tokens(UserGroupInformation user, Configuration conf) throws Exception {
        return user.doAs((PrivilegedExceptionAction<Credentials>) () -> {
            Credentials credentials = new Credentials();
            try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
                assertThat(fs.addDelegationTokens("analyst", credentials)).hasSize(1);
            }
            return credentials;
        });
    }

    private static Credentials tokens(UserGroupInformation user) throws Exception {
        return tokens(user, cluster.mini().getConfiguration(0));
    }

    /** A user as in a Spark executor or a Connect task: with tokens, and without a ticket. */
    private static UserGroupInformation bare(String user, Credentials credentials) {
        UserGroupInformation bare = UserGroupInformation.createRemoteUser(user);
        bare.addCredentials(credentials);
        return bare;
    }

    @Test
    void usersWithTicketsDoWhatTheyHaveTheRightTo() throws Exception {
        assertThat(planned(analyst)).isPositive();
        assertThatThrownBy(() -> commit(analyst, 90)).hasMessageContaining("Permission denied: user=analyst");
        assertThatThrownBy(() -> with(ingest, c -> c.createDataset("/secure/other", TestCluster.SCHEMA)))
                .hasMessageContaining("Superuser privilege is required");
    }

    private static String maintained(java.nio.file.Path dir, String user) throws Exception {
        Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
        conf.set("dfs.mpsr.maintenance.kerberos.principal", user + "/_HOST@" + realm.name());
        conf.set("dfs.mpsr.maintenance.keytab.file", realm.keytab(user));
        try (HdfsTool tool = new HdfsTool(dir.resolve(user), conf, MpsrCommand.class.getName(), "maintain", "--once")) {
            return tool.finish();
        }
    }

    @Test
    void maintenanceLogsInFromItsKeytab(@TempDir java.nio.file.Path dir) throws Exception {
        assertThat(maintained(dir, "hdfs"))
                .contains("LEASE this process maintains the cluster")
                .contains("looked at 1 dataset");
        assertThat(maintained(dir, "analyst")).contains("Superuser privilege is required");
    }

    @Test
    void withoutATicketNothingIsAnswered() {
        UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");

        assertThatThrownBy(() -> with(nobody, MpsrClient::status))
                .hasMessageContaining("Client cannot authenticate via:[TOKEN, KERBEROS]");
    }

    @Test
    void aDelegationTokenIsEnoughToCommitAndToPlan() throws Exception {
        assertThat(commit(bare("ingest", tokens(ingest)), 10).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(planned(bare("analyst", tokens(analyst)))).isPositive();
        assertThatThrownBy(() -> commit(bare("ingest", tokens(analyst)), 90))
                .as("a token is its owner's, whoever brings it")
                .hasMessageContaining("Permission denied: user=analyst");
    }

    @Test
    void theTokenOfANameserviceIsEnoughForEachOfItsNameNodes() throws Exception {
        Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
        conf.set(DFSConfigKeys.DFS_NAMESERVICES, "ns");
        conf.set(HdfsClientConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX + ".ns", "nn1,nn2");
        conf.set(
                HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + ".ns.nn1",
                cluster.mini().getURI().getAuthority());
        conf.set(HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + ".ns.nn2", "localhost:1");
        conf.set(
                HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + ".ns",
                ConfiguredFailoverProxyProvider.class.getName());
        FileSystem.setDefaultUri(conf, "hdfs://ns");
        Credentials credentials = tokens(analyst, conf);

        assertThat(credentials.getAllTokens())
                .singleElement()
                .satisfies(t -> assertThat(t.getService().toString()).isEqualTo("ha-hdfs:ns"));
        assertThat(planned(bare("analyst", credentials), conf)).isPositive();
    }

    @Test
    void aCancelledTokenIsRefused() throws Exception {
        Credentials credentials = tokens(analyst);
        assertThat(planned(bare("analyst", credentials))).isPositive();

        analyst.doAs((PrivilegedExceptionAction<Boolean>) () -> {
            for (Token<?> token : credentials.getAllTokens()) {
                token.cancel(cluster.mini().getConfiguration(0));
            }
            return true;
        });
        assertThatThrownBy(() -> planned(bare("analyst", credentials))).hasMessageContaining("can't be found in cache");
    }

    @Test
    void anExpiredTokenIsRefused() {
        await().atMost(RENEW_INTERVAL.multipliedBy(3))
                .untilAsserted(() -> assertThatThrownBy(() -> planned(bare("analyst", expiring)))
                        .hasMessageContaining("has expired"));
    }

    @Test
    void aProxyUserActsForTheUsersOfItsGroups() throws Exception {
        AuditLines.clear();

        assertThat(planned(UserGroupInformation.createProxyUser("analyst", gateway)))
                .isPositive();
        assertThat(AuditLines.of("mpsrPlan"))
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("allowed=true ugi=analyst "));
        assertThatThrownBy(() -> planned(UserGroupInformation.createProxyUser("ingest", gateway)))
                .hasMessageContaining("gateway")
                .hasMessageContaining("is not allowed to impersonate ingest");
    }

    private static void assertReads(UserGroupInformation user, Path file, boolean expected) throws Exception {
        user.doAs((PrivilegedExceptionAction<Boolean>) () -> {
            try (FileSystem fs =
                    FileSystem.newInstance(cluster.fs().getUri(), cluster.mini().getConfiguration(0))) {
                if (expected) {
                    try (var in = fs.open(file)) {
                        assertThat(in.readNBytes(1_000)).as(user + " " + file).isNotEmpty();
                    }
                } else {
                    assertThatThrownBy(() -> fs.open(file)).hasMessageContaining("Permission denied");
                }
            }
            return true;
        });
    }

    /** With a ticket, with a token, and as a proxy user. */
    @Test
    void whoLosesTheDatasetLosesTheOtherGroups() throws Exception {
        Path other = new Path(new TestCommit(dataset, 0, 10).published("signal"));
        List<UserGroupInformation> users = List.of(
                analyst, bare("analyst", tokens(analyst)), UserGroupInformation.createProxyUser("analyst", gateway));
        Path directory = new Path(PATH);
        try {
            for (String mode : new String[] {"750", "700", "750"}) {
                cluster.fs().setPermission(directory, new FsPermission(mode));
                for (UserGroupInformation user : users) {
                    assertReads(user, other, mode.equals("750"));
                }
                assertReads(gateway, other, false);
            }
            cluster.fs().setPermission(directory.getParent(), new FsPermission("700"));
            assertReads(analyst, other, false);
        } finally {
            cluster.fs().setPermission(directory.getParent(), new FsPermission("755"));
        }
    }

    /** Whatever user's call it is done in, what MPSR does is done as the NameNode's login user. */
    @Test
    void theStoreIsTheNameNodesOwn() throws Exception {
        FileSystem fs = cluster.fs();
        for (String dir :
                new String[] {"/.mpsr", "/.mpsr/nodes/time", "/.mpsr/datasets/" + dataset.id() + "/offsets"}) {
            assertThat(fs.getFileStatus(new Path(dir)).getOwner()).as(dir).isEqualTo("hdfs");
        }
        for (Dataset.Representation representation : dataset.representations()) {
            RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(representation.root()), true);
            assertThat(files.hasNext()).as(representation.root()).isTrue();
            while (files.hasNext()) {
                FileStatus file = files.next();
                boolean inStore = !representation.root().equals(PATH);
                assertThat(file.getOwner()).isEqualTo(inStore ? "hdfs" : "ingest");
                assertThat(file.getGroup()).isEqualTo("analysts");
                assertThat(file.getPermission().toString()).isEqualTo(inStore ? "rw-------" : "rw-r--r--");
            }
        }
    }

    /** MPSR looks at web calls only after the NameNode knows whose they are. */
    @Test
    void webCallsAreAuthenticatedFirst() throws Exception {
        String address = cluster.mini().getNameNode().getHttpAddress().getHostName() + ":"
                + cluster.mini().getNameNode().getHttpAddress().getPort();
        for (String call : new String[] {"op=SETREPLICATION&replication=3", "op=RENAME&destination=/x"}) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://" + address + "/webhdfs/v1" + PATH + "?" + call))
                                    .PUT(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Negotiate");
            assertThat(answer.body()).doesNotContain("replica group");
        }
    }

    /** As WebHDFS: a ticket, a token, and a proxy user; who has none of them learns nothing. */
    @Test
    void theHttpApiIsForWhoHasATicketOrAToken() throws Exception {
        String plan = "{\"path\": \"" + PATH + "\"}";
        Token<?> own = tokens(analyst).getAllTokens().iterator().next();
        String token = own.encodeToUrlString();
        String forged =
                new Token<>(own.getIdentifier(), new byte[20], own.getKind(), own.getService()).encodeToUrlString();
        HttpApiClient.Answer without = api("user.name=analyst").plan(plan);
        assertThat(without.status()).isEqualTo(401);
        AuditLines.clear();
        assertThat(api("delegation=" + token).plan(plan).ok().get("files").size())
                .isPositive();
        assertThat(AuditLines.of("mpsrPlan"))
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("allowed=true ugi=analyst/localhost@"));
        assertThat(api("delegation=" + forged).get("/mpsr/v1/status").error())
                .startsWith("403 SecurityException: Failed to obtain user group information: ");
        assertThat(withTicket(analyst, "")).contains("\"path\":\"" + PATH + "\"");
        assertThat(withTicket(gateway, "?doas=analyst")).contains("\"path\":\"" + PATH + "\"");
        assertThatThrownBy(() -> withTicket(gateway, "?doas=ingest")).hasStackTraceContaining("status: 403");
        assertThatThrownBy(() -> withTicket(gateway, "")).hasStackTraceContaining("response code: 403");
    }

    /** The client for Python shows the ticket of a keytab, and is then known by a cookie; files come from DataNodes. */
    @Test
    void pythonShowsATicket() throws Exception {
        assumeTrue(python("import requests, ctypes", "analyst").equals("0 "), "there is a Python with requests");
        String client = """
                import json, sys
                from hadoop_mpsr.data.plan import Api
                from hadoop_mpsr.webhdfs.caller import Caller
                from hadoop_mpsr.webhdfs.client import WebHdfs, new_session
                from hadoop_mpsr.webhdfs.namenodes import NameNodes
                root, path = sys.argv[1:]
                caller = Caller.of(None, None, kerberos=True)
                session = new_session()
                api = Api(NameNodes([root], caller, session, 5))
                try:
                    plan = api.plan({"path": path})
                except Exception as failure:
                    sys.exit(f"{type(failure).__name__} {failure}")
                cookies = len(session.cookies)
                names = {api.dataset(path)["path"] for _ in range(3)}
                begins = {len(WebHdfs([root], caller, session, 5).read(file.path, file.path, 0, 4)) for file in plan.files}
                print(cookies, names, begins)
                """;
        AuditLines.clear();
        assertThat(python(client, "analyst")).isEqualTo("0 1 {'" + PATH + "'} {4}");
        assertThat(AuditLines.of("mpsrPlan"))
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("allowed=true ugi=analyst ip=true"));
    }

    /** The page of pictures in a Chromium: without a ticket there is none, and with one there is what the user of the ticket may read. */
    @Test
    void aBrowserShowsATicket() throws Exception {
        assumeTrue(
                python("import chromium, sys; sys.exit(not chromium.find())", "analyst")
                        .equals("0 "),
                "there are a Python and a Chromium");
        String page = """
                import sys
                import chromium
                from browser import Browser
                root, path = sys.argv[1:]
                browser = Browser(chromium.find(), hosts=["localhost"], arguments=["--auth-server-allowlist=localhost"])
                try:
                    browser.open(f"{root}/mpsr-explore.html?dataset={path}")
                    browser.until("document.readyState === 'complete'")
                    if not browser.evaluate("!!document.querySelector('#explore-body')"):
                        sys.exit("no page")
                    shown = "!document.querySelector('#explore-body').hidden"
                    browser.until(shown + " || !document.querySelector('#alert-panel').hidden")
                    print(browser.evaluate("document.querySelector('#alert-panel').innerText.trim()"))
                    print(browser.evaluate("[...document.querySelectorAll('#explore-time option')].map(o => o.text).join()"))
                finally:
                    browser.close()
                """;
        assertThat(python(page, "somebody")).isEqualTo("1 no page");
        AuditLines.clear();
        assertThat(python(page, "analyst")).isEqualTo("0 timestamp_ns");
        assertThat(AuditLines.of("mpsrGetDataset"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).startsWith("allowed=true ugi=analyst ip=true"));
        assertThat(python(page, "gateway")).startsWith("0 ").contains("Permission denied", "gateway");
    }

    /**
     * Runs a program with what a keytab gives, if there is one.
     *
     * @return the exit code, and what was printed
     */
    private static String python(String program, String user) throws Exception {
        ProcessBuilder process = new ProcessBuilder(
                "python3",
                "-c",
                program,
                "http://localhost:"
                        + cluster.mini().getNameNode().getHttpAddress().getPort(),
                PATH);
        process.environment()
                .put(
                        "PYTHONPATH",
                        Stream.of("python/src", "dev-support/it", "dev-support/launcher")
                                .map(directory -> new File("..", directory).getAbsolutePath())
                                .collect(Collectors.joining(File.pathSeparator)));
        process.environment().put("KRB5_CONFIG", System.getProperty("java.security.krb5.conf"));
        process.environment().put("KRB5_CLIENT_KTNAME", realm.keytab(user));
        process.environment().put("KRB5CCNAME", "MEMORY:" + user);
        File printed = Files.createTempFile("python", ".txt").toFile();
        try {
            int code = process.redirectErrorStream(true)
                    .redirectOutput(printed)
                    .start()
                    .waitFor();
            return code + " " + Files.readString(printed.toPath()).strip();
        } catch (IOException e) {
            return "there is none: " + e.getMessage();
        } finally {
            Files.delete(printed.toPath());
        }
    }

    private static HttpApiClient api(String query) {
        return new HttpApiClient(cluster.mini().getNameNode(), query);
    }

    /** What a user with a ticket is answered about the dataset. */
    private static String withTicket(UserGroupInformation user, String query) throws Exception {
        URI address = URI.create("http://localhost:"
                + cluster.mini().getNameNode().getHttpAddress().getPort() + "/mpsr/v1/datasets" + PATH + query);
        return user.doAs((PrivilegedExceptionAction<String>) () -> {
            HttpURLConnection connection =
                    new AuthenticatedURL().openConnection(address.toURL(), new AuthenticatedURL.Token());
            try (var in = connection.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    /** What would let who reads a log do anything: signatures and keys, as text of any kind. */
    private static List<String> secrets(Credentials credentials) throws Exception {
        List<String> secrets = new ArrayList<>(List.of(KerberosRealm.COOKIE_SECRET));
        for (Token<?> token : credentials.getAllTokens()) {
            secrets.add(token.encodeToUrlString());
            addText(secrets, token.getPassword());
        }
        for (String name : new String[] {"hdfs", "analyst", "ingest"}) {
            Keytab keytab = Keytab.loadKeytab(new File(realm.keytab(name)));
            for (PrincipalName principal : keytab.getPrincipals()) {
                for (KeytabEntry entry : keytab.getKeytabEntries(principal)) {
                    addText(secrets, entry.getKey().getKeyData());
                }
            }
        }
        return secrets;
    }

    private static void addText(List<String> secrets, byte[] secret) {
        secrets.add(HexFormat.of().formatHex(secret));
        secrets.add(Base64.getEncoder().encodeToString(secret));
        secrets.add(Arrays.toString(secret));
    }

    @Test
    void logsHoldNoTokenAndNoKey() throws Exception {
        Credentials credentials = tokens(analyst);
        assertThat(planned(bare("analyst", credentials))).isPositive();
        assertThatThrownBy(() -> commit(bare("analyst", credentials), 90)).hasMessageContaining("Permission denied");
        List<String> secrets = secrets(credentials);
        assertThat(secrets).hasSizeGreaterThan(10).allMatch(s -> s.length() > 15);
        Logger logger = LoggerFactory.getLogger("org.hadoopmpsr.namenode.LogLines");

        assertThat(log.lines()).isNotEmpty().noneMatch(line -> secrets.stream().anyMatch(line::contains));
        secrets.forEach(logger::debug);
        assertThat(log.lines()).as("the log is seen").containsAll(secrets);
        log.lines().removeAll(secrets);
    }

    @Test
    void thePageAndItsBeansAreForWhoHasATicket() throws Exception {
        String server = "http://localhost:"
                + cluster.mini().getNameNode().getHttpAddress().getPort();
        for (String path : new String[] {
            "/mpsr.html",
            "/mpsr.js",
            "/mpsr-explore.html",
            "/dfshealth.html",
            "/jmx?qry=Hadoop:service=NameNode,name=MpsrInfo*"
        }) {
            URI address = URI.create(server + path);
            HttpResponse<String> without = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(without.statusCode()).as(path).isEqualTo(401);
            assertThat(without.headers().firstValue("WWW-Authenticate")).hasValue("Negotiate");
            assertThat(without.body()).doesNotContain(PATH, "tmpl-");

            HttpURLConnection with = analyst.doAs((PrivilegedExceptionAction<HttpURLConnection>)
                    () -> new AuthenticatedURL().openConnection(address.toURL(), new AuthenticatedURL.Token()));
            assertThat(with.getResponseCode()).as(path).isEqualTo(200);
            String body = new String(with.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(body).containsPattern(path.startsWith("/jmx") ? PATH : "(?i)mpsr");
        }
    }
}
