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
package org.hadoopmpsr.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;

/** A Kerberos server that gives real tickets, for the hosts and users of tests in this process. */
public final class KerberosRealm implements AutoCloseable {
    /** What signs the cookies of the web UI's users. */
    public static final String COOKIE_SECRET = "signature-of-the-test";

    private final MiniKdc kdc;
    private final Path dir;

    private KerberosRealm(MiniKdc kdc, Path dir) {
        this.kdc = kdc;
        this.dir = dir;
    }

    /** Starts it, with the principals of HDFS's daemons. */
    public static KerberosRealm start() throws Exception {
        Path base = Files.createDirectories(Path.of(System.getProperty("test.build.data", "target/test-data")));
        Path dir = Files.createTempDirectory(base.toAbsolutePath(), "kdc");
        MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), dir.toFile());
        kdc.start();
        KerberosName.resetDefaultRealm();
        kdc.createPrincipal(new File(dir.toFile(), "hdfs.keytab"), "hdfs/localhost", "HTTP/localhost");
        return new KerberosRealm(kdc, dir);
    }

    /** Adds to a configuration what makes a cluster secure; {@code hdfs} is its superuser. */
    public Configuration secure(Configuration conf) throws IOException {
        SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
        conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, principal("hdfs"));
        conf.set(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, keytab("hdfs"));
        conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, principal("hdfs"));
        conf.set(DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY, keytab("hdfs"));
        conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY, principal("HTTP"));
        conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_KEYTAB_KEY, keytab("hdfs"));
        conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
        conf.set("hadoop.http.authentication.type", "kerberos");
        conf.set(
                "hadoop.http.authentication.signature.secret.file",
                Files.writeString(dir.resolve("cookie-secret"), COOKIE_SECRET).toString());
        conf.set("hadoop.http.authentication.kerberos.principal", principal("HTTP"));
        conf.set("hadoop.http.authentication.kerberos.keytab", keytab("hdfs"));
        conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
        conf.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "authentication");
        conf.set(DFSConfigKeys.DFS_HTTP_POLICY_KEY, HttpConfig.Policy.HTTP_ONLY.name());
        conf.setBoolean(DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_KEY, true);
        conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SASL_KEY, 1);
        return conf;
    }

    /** The realm's name. */
    public String name() {
        return kdc.getRealm();
    }

    /** The principal of a user on this host. */
    public String principal(String name) {
        return name + "/localhost@" + kdc.getRealm();
    }

    /** Where the keys of a user, or of the cluster's daemons ({@code hdfs}), are. */
    public String keytab(String name) {
        return dir.resolve(name + ".keytab").toString();
    }

    /** Makes a user and logs it in from its keytab. */
    public UserGroupInformation login(String user) throws Exception {
        kdc.createPrincipal(new File(keytab(user)), user + "/localhost");
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal(user), keytab(user));
    }

    /** Logs in the cluster's superuser. */
    public UserGroupInformation loginSuperuser() throws IOException {
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal("hdfs"), keytab("hdfs"));
    }

    /** Makes this process one of the secure cluster's, whatever it learned of users before. */
    public static void enter(Configuration conf) {
        UserGroupInformation.reset();
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
        UserGroupInformation.setConfiguration(conf);
    }

    /** Leaves this process as it is without security, for the tests that follow in it. */
    @Override
    public void close() {
        kdc.stop();
        KerberosName.resetDefaultRealm();
        enter(new Configuration());
    }
}
