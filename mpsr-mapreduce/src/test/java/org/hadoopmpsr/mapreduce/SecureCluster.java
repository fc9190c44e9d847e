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
package org.hadoopmpsr.mapreduce;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.mapreduce.v2.api.HSClientProtocol;
import org.apache.hadoop.mapreduce.v2.api.protocolrecords.GetDelegationTokenRequest;
import org.apache.hadoop.mapreduce.v2.jobhistory.JHAdminConfig;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.ipc.YarnRPC;
import org.apache.hadoop.yarn.util.ConverterUtils;
import org.apache.hadoop.yarn.util.Records;
import org.hadoopmpsr.testing.MiniCluster;

/**
 * HDFS with MPSR, and YARN, with tickets from a real Kerberos server and block tokens. The servers run in this process,
 * logged in as {@code hdfs}; containers are processes of their own, and have nothing but their tokens.
 */
final class SecureCluster implements AutoCloseable {
    private static final String DAEMON = "hdfs";

    private final Path dir;
    private final MiniKdc kdc;
    private final MiniDFSCluster hdfs;
    private final MiniMRYarnCluster yarn;

    /** @param groups users with their groups, as in {@code hadoop.user.group.static.mapping.overrides} */
    SecureCluster(String groups) throws Exception {
        Path base = Files.createDirectories(Path.of(System.getProperty("test.build.data", "target/test-data")));
        dir = Files.createTempDirectory(base.toAbsolutePath(), "kdc");
        kdc = new MiniKdc(MiniKdc.createConf(), dir.toFile());
        kdc.start();
        KerberosName.resetDefaultRealm();
        kdc.createPrincipal(keytab(DAEMON), DAEMON + "/localhost", "HTTP/localhost");
        Configuration conf = secure(MiniCluster.stock());
        conf.set("hadoop.user.group.static.mapping.overrides", groups);
        enter(conf);
        hdfs = TestDataset.start(conf);
        yarn = new MiniMRYarnCluster("secure", 1);
        yarn.init(containers(hdfs.getConfiguration(0)));
        yarn.start();
    }

    MiniDFSCluster hdfs() {
        return hdfs;
    }

    /** What a client of the cluster has. */
    Configuration conf() {
        return new Configuration(yarn.getConfig());
    }

    private File keytab(String name) {
        return dir.resolve(name + ".keytab").toFile();
    }

    private String principal(String name) {
        return name + "/localhost@" + kdc.getRealm();
    }

    private Configuration secure(Configuration conf) {
        SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
        for (String daemon : new String[] {
            "dfs.namenode", "dfs.datanode", "yarn.resourcemanager", "yarn.nodemanager", "mapreduce.jobhistory"
        }) {
            String kerberos = daemon.startsWith("dfs.") ? ".kerberos" : "";
            conf.set(daemon + kerberos + ".principal", principal(DAEMON));
            conf.set(
                    daemon + (kerberos.isEmpty() ? ".keytab" : ".keytab.file"),
                    keytab(DAEMON).toString());
        }
        conf.set("dfs.web.authentication.kerberos.principal", principal("HTTP"));
        conf.set("dfs.web.authentication.kerberos.keytab", keytab(DAEMON).toString());
        conf.set("dfs.http.policy", "HTTP_ONLY");
        conf.setBoolean("ignore.secure.ports.for.testing", true);
        conf.setBoolean("dfs.block.access.token.enable", true);
        return conf;
    }

    /** Adds how containers start; they learn of the realm from the file that the Kerberos server has written. */
    private Configuration containers(Configuration hdfsConf) {
        Configuration conf = new Configuration(hdfsConf);
        String java = " -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true"
                + " -Djava.security.krb5.conf=" + kdc.getKrb5conf();
        conf.set("yarn.app.mapreduce.am.command-opts", java);
        conf.set("mapreduce.map.java.opts", java);
        for (String env : new String[] {"yarn.app.mapreduce.am.env", "mapreduce.map.env"}) {
            conf.set(env, "JAVA_HOME=" + System.getProperty("java.home"));
        }
        conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
        conf.setInt("mapreduce.map.memory.mb", 512);
        conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
        conf.setInt("mapreduce.task.io.sort.mb", 4);
        conf.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 100);
        conf.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 100);
        conf.setInt("mapreduce.client.completion.pollinterval", 100);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 100);
        conf.setInt("mapreduce.client.submit.file.replication", 1);
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
        return conf;
    }

    /** Makes a user and logs it in from its keytab: it has a ticket. */
    UserGroupInformation login(String user) throws Exception {
        kdc.createPrincipal(keytab(user), user + "/localhost");
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                principal(user), keytab(user).toString());
    }

    /** The same user without a ticket, with the delegation tokens that a workflow's server gets on its behalf. */
    UserGroupInformation withTokensOnly(UserGroupInformation user) throws Exception {
        Credentials credentials = user.doAs((PrivilegedExceptionAction<Credentials>) this::tokens);
        UserGroupInformation bare = UserGroupInformation.createRemoteUser(user.getShortUserName());
        bare.addCredentials(credentials);
        return bare;
    }

    /** The caller's tokens of HDFS, of the ResourceManager and of the history server. */
    private Credentials tokens() throws Exception {
        Configuration conf = conf();
        Credentials credentials = new Credentials();
        FileSystem.get(conf).addDelegationTokens(DAEMON, credentials);
        Cluster client = new Cluster(conf);
        try {
            Token<?> token = client.getDelegationToken(new Text(DAEMON));
            credentials.addToken(token.getService(), token);
        } finally {
            client.close();
        }
        InetSocketAddress address = NetUtils.createSocketAddr(conf.get(JHAdminConfig.MR_HISTORY_ADDRESS));
        YarnRPC rpc = YarnRPC.create(conf);
        HSClientProtocol history = (HSClientProtocol) rpc.getProxy(HSClientProtocol.class, address, conf);
        try {
            GetDelegationTokenRequest request = Records.newRecord(GetDelegationTokenRequest.class);
            request.setRenewer(DAEMON);
            Token<?> token = ConverterUtils.convertFromYarn(
                    history.getDelegationToken(request).getDelegationToken(), address);
            credentials.addToken(token.getService(), token);
        } finally {
            rpc.stopProxy(history, conf);
        }
        return credentials;
    }

    private static void enter(Configuration conf) {
        UserGroupInformation.reset();
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
        UserGroupInformation.setConfiguration(conf);
    }

    /** Leaves this process as it is without security, for the tests that follow in it. */
    @Override
    public void close() throws IOException {
        yarn.stop();
        hdfs.shutdown(true);
        kdc.stop();
        KerberosName.resetDefaultRealm();
        enter(new Configuration());
    }
}
