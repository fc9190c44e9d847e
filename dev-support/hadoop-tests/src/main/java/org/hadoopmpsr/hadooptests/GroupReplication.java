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
package org.hadoopmpsr.hadooptests;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;

/**
 * Started before MPSR's plugin: gives the one group of these runs the replication that the test's cluster has by default,
 * which mini clusters limit to their number of DataNodes. So tests find as many copies as they expect.
 */
public final class GroupReplication implements ServicePlugin {
    private static final String KEY = "dfs.mpsr.replica.group.all.replication";

    @Override
    public void start(Object service) {
        Configuration conf = ((NameNode) service).getConf();
        int usual = conf.getInt(DFSConfigKeys.DFS_REPLICATION_KEY, DFSConfigKeys.DFS_REPLICATION_DEFAULT);
        conf.setInt(KEY, Math.max(1, usual));
    }

    @Override
    public void stop() {}

    @Override
    public void close() {}
}
