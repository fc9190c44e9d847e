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

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol;

/**
 * Answers {@code hdfs dfsadmin -refreshServiceAcl} instead of the NameNode, which would drop MPSR's protocol. All
 * protocols are refreshed at once, and no call is refused in between.
 */
public final class ServicePolicyCalls implements RefreshAuthorizationPolicyProtocol {
    private final MpsrNamesystem system;

    public ServicePolicyCalls(MpsrNamesystem system) {
        this.system = system;
    }

    @Override
    public void refreshServiceAcl() throws IOException {
        system.checkStarted();
        if (!system.authorizesServices()) {
            throw new AuthorizationException("Service Level Authorization not enabled!");
        }
        ServicePolicy.apply(system.rpcServers(), new Configuration());
        system.callingUser().audit(true, "refreshServiceAcl", null, null);
    }
}
