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

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.hadoopmpsr.client.MpsrProtocolPB;

/**
 * The protocols of service-level authorization: those of HDFS, and MPSR's. A key for MPSR that {@code
 * hadoop-policy.xml} does not set takes the value of HDFS's client protocol.
 */
public final class ServicePolicy extends PolicyProvider {
    /**
     * The users and groups who may call MPSR. As for HDFS's protocols, there are also keys with {@code .blocked} and
     * for hosts.
     */
    static final String ACL = "security.mpsr.protocol.acl";

    private static final String FILE_PROPERTY = "hadoop.policy.file";
    private static final String FILE = "hadoop-policy.xml";
    private static final List<String> SETTINGS = List.of(".acl", ".acl.blocked", ".hosts", ".hosts.blocked");

    private final Class<?> protocol;

    private ServicePolicy(Class<?> protocol) {
        this.protocol = protocol;
    }

    /**
     * Makes servers use the present policy file.
     *
     * @param conf the configuration that the policy file overrides
     */
    public static void apply(Iterable<RPC.Server> servers, Configuration conf) {
        Configuration policy = new Configuration(conf);
        policy.addResource(System.getProperty(FILE_PROPERTY, FILE));
        completeFromClients(policy);
        PolicyProvider provider =
                new ServicePolicy(policy.getClassByNameOrNull(RPC.getProtocolName(MpsrProtocolPB.class)));
        for (RPC.Server server : servers) {
            server.refreshServiceAclWithLoadedConfiguration(policy, provider);
        }
    }

    /**
     * Checks that a user may call MPSR from a host, where service-level authorization is on.
     *
     * @throws AuthorizationException if not
     */
    public static void check(MpsrNamesystem system, UserGroupInformation user, InetAddress address)
            throws AuthorizationException {
        if (system.authorizesServices()) {
            Configuration conf = system.conf();
            Class<?> protocol = conf.getClassByNameOrNull(RPC.getProtocolName(MpsrProtocolPB.class));
            system.rpcServers().get(0).getServiceAuthorizationManager().authorize(user, protocol, conf, address);
        }
    }

    private static void completeFromClients(Configuration policy) {
        String own = stem(ACL);
        String clients = stem(CommonConfigurationKeys.SECURITY_CLIENT_PROTOCOL_ACL);
        for (String setting : SETTINGS) {
            String value = policy.get(clients + setting);
            if (value != null && policy.get(own + setting) == null) {
                policy.set(own + setting, value);
            }
        }
    }

    private static String stem(String key) {
        return key.substring(0, key.lastIndexOf('.'));
    }

    @Override
    public Service[] getServices() {
        Service[] hdfs = new HDFSPolicyProvider().getServices();
        Service[] services = Arrays.copyOf(hdfs, hdfs.length + 1);
        services[hdfs.length] = new Service(ACL, protocol);
        return services;
    }
}
