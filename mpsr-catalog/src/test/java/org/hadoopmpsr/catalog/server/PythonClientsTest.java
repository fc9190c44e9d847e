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

import java.net.URI;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class PythonClientsTest {
    private static Map<String, String> properties(String fs, String... pairs) {
        Configuration conf = new Configuration(false);
        for (int i = 0; i < pairs.length; i += 2) {
            conf.set(pairs[i], pairs[i + 1]);
        }
        return PythonClients.properties(conf, URI.create(fs));
    }

    private static final String[] HA = {
        "dfs.nameservices", "ns,other",
        "dfs.ha.namenodes.ns", "a,b",
        "dfs.client.failover.proxy.provider.ns", "x",
        "dfs.namenode.rpc-address.ns.a", "127.0.0.1:8020",
        "dfs.namenode.rpc-address.ns.b", "127.0.0.2:8020",
        "dfs.namenode.http-address.ns.a", "127.0.0.1:9870",
        "dfs.namenode.http-address.ns.b", "127.0.0.2:9870",
        "dfs.namenode.https-address.ns.a", "127.0.0.1:9871",
        "dfs.namenode.https-address.ns.b", "127.0.0.2:9871",
        "dfs.http.policy", "HTTP_ONLY"
    };

    @Test
    void allNameNodesOfANameServiceAreTold() {
        assertThat(properties("hdfs://ns", HA))
                .containsOnly(
                        Map.entry("py-io-impl", "hadoop_mpsr.pyiceberg.WebHdfsFileIO"),
                        Map.entry("mpsr.webhdfs.address.ns", "http://127.0.0.1:9870,http://127.0.0.2:9870"));
        String[] secure = HA.clone();
        secure[secure.length - 1] = "HTTPS_ONLY";
        assertThat(properties("hdfs://ns", secure))
                .containsEntry("mpsr.webhdfs.address.ns", "https://127.0.0.1:9871,https://127.0.0.2:9871");
    }

    @Test
    void ofOneNameNodeTheHostIsThatOfItsRpc() {
        assertThat(properties("hdfs://127.0.0.1:8020", "dfs.namenode.http-address", "0.0.0.0:9999"))
                .containsEntry("mpsr.webhdfs.address.127.0.0.1:8020", "http://127.0.0.1:9999");
        assertThat(properties("hdfs://127.0.0.1:8020", "dfs.http.policy", "HTTPS_ONLY"))
                .containsEntry("mpsr.webhdfs.address.127.0.0.1:8020", "https://127.0.0.1:9871");
        assertThat(properties("hdfs://127.0.0.1:8020", "dfs.nameservices", "a,b"))
                .containsOnlyKeys("py-io-impl");
        assertThat(properties("hdfs://127.0.0.1:8020", "fs.defaultFS", "hdfs://127.0.0.1:8020"))
                .containsEntry("mpsr.webhdfs.address.127.0.0.1:8020", "http://127.0.0.1:9870");
    }
}
