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

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.web.WebHdfsConstants;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.net.NetUtils;

/** Tells PyIceberg how to read files of HDFS: with the package {@code hadoop-mpsr}, from the web servers of the NameNodes. */
final class PythonClients {
    private static final String FILE_IO = "hadoop_mpsr.pyiceberg.WebHdfsFileIO";
    private static final String ADDRESS = "mpsr.webhdfs.address.";
    private static final String POLICY = "dfs.http.policy";

    private final Configuration conf;
    private final URI fs;
    private final boolean secure;

    private PythonClients(Configuration conf, URI fs) {
        this.conf = conf;
        this.fs = fs;
        this.secure = HttpConfig.Policy.fromString(conf.get(POLICY)) == HttpConfig.Policy.HTTPS_ONLY;
    }

    /**
     * Properties for catalogs of clients, which the clients' own replace. Clients in Java know none of them.
     *
     * @param fs the URI of the file system
     */
    static Map<String, String> properties(Configuration conf, URI fs) {
        Map<String, String> properties = new HashMap<>(); // Iceberg asks maps for null
        properties.put("py-io-impl", FILE_IO);
        PythonClients clients = new PythonClients(conf, fs);
        List<String> addresses = HAUtilClient.isLogicalUri(conf, fs)
                ? clients.ofNameService()
                : clients.ofNameNode().map(List::of).orElseGet(List::of);
        if (!addresses.isEmpty()) {
            properties.put(ADDRESS + fs.getAuthority(), String.join(",", addresses));
        }
        return properties;
    }

    private List<String> ofNameService() {
        List<String> found = new ArrayList<>();
        DFSUtilClient.getHaNnWebHdfsAddresses(
                        conf, secure ? WebHdfsConstants.SWEBHDFS_SCHEME : WebHdfsConstants.WEBHDFS_SCHEME)
                .getOrDefault(fs.getHost(), Map.of())
                .values()
                .forEach(address -> found.add(url(address)));
        return found;
    }

    /** Empty where the address is one of several name services'. */
    private Optional<String> ofNameNode() {
        String key = secure
                ? HdfsClientConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY
                : HdfsClientConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY;
        int port = secure
                ? HdfsClientConfigKeys.DFS_NAMENODE_HTTPS_PORT_DEFAULT
                : HdfsClientConfigKeys.DFS_NAMENODE_HTTP_PORT_DEFAULT;
        String told = conf.getTrimmed(key);
        if (told == null && conf.get(HdfsClientConfigKeys.DFS_NAMESERVICES) != null) {
            return Optional.empty();
        }
        InetSocketAddress address = told == null
                ? InetSocketAddress.createUnresolved(fs.getHost(), port)
                : NetUtils.createSocketAddr(told, port);
        boolean anywhere = address.getAddress() != null && address.getAddress().isAnyLocalAddress();
        return Optional.of(
                url(anywhere ? InetSocketAddress.createUnresolved(fs.getHost(), address.getPort()) : address));
    }

    private String url(InetSocketAddress address) {
        return scheme() + "://" + address.getHostString() + ":" + address.getPort();
    }

    private String scheme() {
        return secure ? "https" : "http";
    }
}
