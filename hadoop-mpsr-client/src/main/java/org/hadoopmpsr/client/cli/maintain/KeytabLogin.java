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
package org.hadoopmpsr.client.cli.maintain;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.core.config.ConfigKeys;

/** The login with Kerberos of a process that runs for long. */
final class KeytabLogin {

    private KeytabLogin() {}

    /**
     * Logs in from the keytab that the configuration names, if it names one and the cluster uses Kerberos.
     *
     * @return the options with which {@code spark-submit} logs in as well; none without a keytab
     */
    static List<String> login(Configuration conf) throws IOException {
        UserGroupInformation.setConfiguration(conf);
        String keytab = conf.getTrimmed(ConfigKeys.MAINTENANCE_KEYTAB.name(), "");
        if (!UserGroupInformation.isSecurityEnabled() || keytab.isEmpty()) {
            return List.of();
        }
        SecurityUtil.login(conf, ConfigKeys.MAINTENANCE_KEYTAB.name(), ConfigKeys.MAINTENANCE_PRINCIPAL.name());
        return List.of("--principal", UserGroupInformation.getLoginUser().getUserName(), "--keytab", keytab);
    }
}
