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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * A client in the NameNode's own process, whose calls reach HDFS without passing MPSR, as on a NameNode without MPSR: tests
 * use it to do what MPSR refuses.
 */
public final class InProcessFileSystem extends DistributedFileSystem {
    private final ClientProtocol calls;

    private InProcessFileSystem(ClientProtocol calls) {
        this.calls = calls;
    }

    public static DistributedFileSystem of(NameNode nameNode, URI uri, Configuration conf) throws IOException {
        InProcessFileSystem fs = new InProcessFileSystem(nameNode.getRpcServer());
        fs.initialize(uri, conf);
        return fs;
    }

    @Override
    void initDFSClient(URI uri, Configuration conf) throws IOException {
        dfs = new DFSClient(null, calls, conf, statistics); // with calls of its own it takes no address
    }
}
