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
package org.hadoopmpsr.namenode.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.web.resources.UserParam;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/** Who sends a request, by the rules of WebHDFS: what the NameNode's filters have found out, a token, a proxy user. */
final class Callers {
    private final Configuration conf;

    Callers(Configuration conf) {
        this.conf = conf;
    }

    /**
     * The user of a request.
     *
     * @throws SecurityException if nobody is authenticated; the cause is HDFS's
     * @throws IllegalArgumentException if a name is none of a user
     */
    UserGroupInformation user(HttpServletRequest request) {
        new UserParam(request.getParameter(UserParam.NAME)); // checks its form, as WebHDFS does
        try {
            return JspHelper.getUGI(request.getServletContext(), request, conf, AuthenticationMethod.KERBEROS, false);
        } catch (IOException e) {
            throw new SecurityException("Failed to obtain user group information: " + e, e);
        }
    }

    /** The address of the client; of the one behind a trusted proxy. */
    static InetAddress address(HttpServletRequest request) throws UnknownHostException {
        return InetAddress.getByName(JspHelper.getRemoteAddr(request));
    }
}
