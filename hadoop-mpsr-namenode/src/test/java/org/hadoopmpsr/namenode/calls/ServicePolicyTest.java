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
package org.hadoopmpsr.namenode.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.namenode.TestCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Service-level authorization on, with a policy file that changes while the NameNode runs. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServicePolicyTest {
    private static final String PROPERTY = "hadoop.policy.file";
    private static final String POLICY = "service-policy-test.xml";
    private static final String CLIENTS = CommonConfigurationKeys.SECURITY_CLIENT_PROTOCOL_ACL;
    private static final String HA = CommonConfigurationKeys.SECURITY_HA_SERVICE_PROTOCOL_ACL;

    private static TestCluster cluster;
    private static String self;

    /** The policy file is read from the class path; started with a policy for MPSR. */
    @BeforeAll
    static void start() throws Exception {
        self = UserGroupInformation.getCurrentUser().getShortUserName();
        System.setProperty(PROPERTY, POLICY);
        write(Map.of(
                ServicePolicy.ACL, self + ",alice,eve", ServicePolicy.ACL + ".blocked", "eve", HA, self, CLIENTS, "*"));
        Configuration conf = TestCluster.threeGroups();
        conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
        cluster = TestCluster.start(conf, 3, 1);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
        System.clearProperty(PROPERTY);
        Files.delete(file());
    }

    private static Path file() throws Exception {
        URI classes = ServicePolicyTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        return Path.of(classes).resolve(POLICY);
    }

    private static void write(Map<String, String> policy) throws Exception {
        Configuration conf = new Configuration(false);
        policy.forEach(conf::set);
        try (var out = Files.newOutputStream(file())) {
            conf.writeXml(out);
        }
    }

    private static String state(String user) throws Exception {
        return cluster.as(user, () -> {
            try (MpsrClient client = cluster.client()) {
                return client.status().getState();
            }
        });
    }

    private static boolean list(String user) throws Exception {
        return cluster.as(user, () -> {
            try (FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), cluster.conf())) {
                return fs.exists(new org.apache.hadoop.fs.Path("/"));
            }
        });
    }

    private static void assertRefused(String user) {
        assertThatThrownBy(() -> state(user))
                .hasMessageContaining("User " + user)
                .hasMessageContaining("is not authorized for protocol interface org.hadoopmpsr.client.MpsrProtocol");
    }

    /** Whatever HDFS's policy says of its own protocols holds as if MPSR were not there. */
    private static void assertOthersAsStock(Configuration conf) throws Exception {
        ServiceAuthorizationManager stock = new ServiceAuthorizationManager();
        stock.refresh(conf, new HDFSPolicyProvider());
        RPC.Server server = cluster.rpcServer();
        ServiceAuthorizationManager ours = server.getServiceAuthorizationManager();
        Class<?> mpsr = Class.forName(RPC.getProtocolName(MpsrProtocolPB.class));
        Set<Class<?>> others = new HashSet<>(ours.getProtocolsWithAcls());
        assertThat(others.remove(mpsr)).isTrue();
        assertThat(others).isEqualTo(stock.getProtocolsWithAcls()).isNotEmpty();
        for (Class<?> protocol : others) {
            assertThat(ours.getProtocolsAcls(protocol).getAclString())
                    .isEqualTo(stock.getProtocolsAcls(protocol).getAclString());
            assertThat(ours.getProtocolsBlockedAcls(protocol).getAclString())
                    .isEqualTo(stock.getProtocolsBlockedAcls(protocol).getAclString());
            assertThat(ours.getProtocolsMachineList(protocol).getCollection())
                    .isEqualTo(stock.getProtocolsMachineList(protocol).getCollection());
        }
    }

    @Test
    @Order(1)
    void theAclOfMpsrHoldsFromTheStart() throws Exception {
        assertThat(state("alice")).isEqualTo("ready");
        assertRefused("bob");
        assertRefused("eve");
        assertThat(list("bob")).isTrue();
        assertOthersAsStock(cluster.conf());
    }

    @Test
    @Order(2)
    void whatIsNotSetIsAsForTheClientsOfHdfsAfterARefresh() throws Exception {
        write(Map.of(CLIENTS, self + ",bob", CLIENTS + ".blocked", "alice", HA, self + ",failover"));
        assertThat(new DFSAdmin(cluster.mini().getConfiguration(0)).run(new String[] {"-refreshServiceAcl"}))
                .isZero();

        assertThat(state("bob")).isEqualTo("ready");
        assertThat(list("bob")).isTrue();
        assertRefused("alice");
        assertThatThrownBy(() -> list("alice")).hasMessageContaining("is not authorized for protocol");
        assertOthersAsStock(new Configuration());
    }

    @Test
    @Order(3)
    void anAclOfItsOwnComesBackWithARefresh() throws Exception {
        write(Map.of(ServicePolicy.ACL, self + ",carol", CLIENTS, "*"));
        assertThat(new DFSAdmin(cluster.mini().getConfiguration(0)).run(new String[] {"-refreshServiceAcl"}))
                .isZero();

        assertThat(state("carol")).isEqualTo("ready");
        assertRefused("bob");
        assertThat(list("bob")).isTrue();
    }

    @Test
    @Order(4)
    void thePolicyHoldsAfterARestart() throws Exception {
        cluster.restartNameNode();

        assertThat(state("carol")).isEqualTo("ready");
        assertRefused("bob");
    }
}
