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
package org.hadoopmpsr.namenode;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InProcessFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.EndedNameNodes;
import org.hadoopmpsr.testing.MiniCluster;

/** A mini cluster with MPSR, and what tests ask of it. */
public final class TestCluster implements AutoCloseable {
    public static final Schema SCHEMA =
            Schema.parse("signal string not null, device string not null, system string not null,"
                    + " timestamp_ns timestamp_ns not null, value double");

    private final MiniDFSCluster mini;
    private final Configuration conf;

    private TestCluster(MiniDFSCluster mini, Configuration conf) {
        this.mini = mini;
        this.conf = conf;
    }

    /** The configuration of three groups as in the sample configuration, with fewer buckets. */
    public static Configuration threeGroups() {
        Configuration conf = stock();
        addMpsr(conf);
        return conf;
    }

    static void addMpsr(Configuration conf) {
        MiniCluster.addThreeGroups(conf);
        // the homes of a segment depend on the dataset's random id: where tests are not about them, blocks lie anywhere
        conf.set("dfs.mpsr.segment.nodes", "all");
    }

    /** Takes all out again, so that the configuration is stock HDFS's. */
    static void removeMpsr(Configuration conf) {
        List<String> keys = new ArrayList<>(
                List.of(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY));
        conf.forEach(entry -> {
            if (entry.getKey().startsWith("dfs.mpsr.")) {
                keys.add(entry.getKey());
            }
        });
        keys.forEach(conf::unset);
    }

    public static Configuration stock() {
        Configuration conf = MiniCluster.stock();
        conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 3);
        conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 1 << 20);
        // a server that starts again is found soon; clients try for three seconds
        conf.setInt("ipc.client.connect.retry.interval", 50);
        conf.setInt("ipc.client.connect.max.retries", 60);
        return conf;
    }

    /** Starts a cluster of so many nodes, evenly on racks {@code /r0}, {@code /r1}, ... */
    public static TestCluster start(Configuration conf, int nodes, int racks) throws IOException {
        return start(MiniCluster.builder(conf, nodes, racks).hosts(MiniCluster.hosts(nodes)), conf);
    }

    /** Starts a cluster of a node for each set of storages, evenly on racks {@code /r0}, {@code /r1}, ... */
    static TestCluster start(Configuration conf, int racks, StorageType[]... storages) throws IOException {
        return start(MiniCluster.builder(conf, storages.length, racks).storageTypes(storages), conf);
    }

    /** Starts a cluster of nodes that are all {@code localhost}, so that web clients find them. */
    static TestCluster startOnLocalhost(Configuration conf, int nodes) throws IOException {
        return start(MiniCluster.builder(conf, nodes, 1).racks(null), conf);
    }

    static TestCluster start(MiniDFSCluster.Builder builder, Configuration conf) throws IOException {
        return new TestCluster(MiniCluster.start(builder), conf);
    }

    /** Starts a NameNode alone on a name directory that exists; it waits for no block. */
    public static TestCluster nameNode(Configuration conf, Path nameDir) throws IOException {
        Configuration own = new Configuration(conf);
        own.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, nameDir.toUri().toString());
        own.set(DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY, nameDir.toUri().toString());
        own.setFloat(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_KEY, 0);
        MiniDFSCluster mini = new MiniDFSCluster.Builder(
                        own, nameDir.getParent().toFile())
                .format(false)
                .manageNameDfsDirs(false)
                .numDataNodes(0)
                .build();
        return new TestCluster(mini, own);
    }

    public MiniDFSCluster mini() {
        return mini;
    }

    public Configuration conf() {
        return conf;
    }

    public DistributedFileSystem fs() throws IOException {
        return mini.getFileSystem();
    }

    /** What MPSR would refuse in the store, done as on a NameNode without MPSR. */
    public DistributedFileSystem pastMpsr() throws IOException {
        return InProcessFileSystem.of(mini.getNameNode(), mini.getURI(), mini.getConfiguration(0));
    }

    /** A directory in which clients may write files of a group: the dataset directory, or one of a staged commit. */
    public String writableRoot(Dataset dataset, String group) throws IOException {
        if (group.equals(dataset.groups().defaultName())) {
            return dataset.path();
        }
        String staging = "/.mpsr/datasets/" + dataset.id() + "/staging/written";
        if (!fs().exists(new org.apache.hadoop.fs.Path(staging))) {
            try (MpsrClient client = client()) {
                client.beginCommit(dataset.path(), dataset.id(), "written").require();
            }
        }
        return staging + "/" + group;
    }

    public MpsrClient client() throws IOException {
        return MpsrClient.create(mini.getConfiguration(0), mini.getURI());
    }

    /** The server that clients connect to. */
    public RPC.Server rpcServer() {
        return new MpsrNamesystem(mini.getNameNode()).rpcServers().get(0);
    }

    /** A call to MPSR. */
    interface Call {
        Object on(MpsrClient client) throws Exception;
    }

    /** Calls MPSR as another user, by a client of its own. */
    Object call(String user, Call call) throws Exception {
        return this.<Object>as(user, () -> {
            try (MpsrClient client = client()) {
                return call.on(client);
            }
        });
    }

    /** Calls as another user. */
    public <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
        return UserGroupInformation.createUserForTesting(user, new String[] {user + "-group"})
                .doAs(action);
    }

    public StatusResponseProto status() throws IOException {
        try (MpsrClient client = client()) {
            return client.status();
        }
    }

    public long counter(String name) throws IOException {
        return status().getCounterList().stream()
                .filter(c -> c.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    /** The group by data transfer address, as block locations name nodes. */
    Map<String, String> groupByAddress() throws IOException {
        return groupByAddress(mini, status());
    }

    static Map<String, String> groupByAddress(MiniDFSCluster mini, StatusResponseProto status) {
        Map<String, String> groupByUuid = new HashMap<>();
        for (NodeProto node : status.getNodeList()) {
            if (node.hasGroup()) {
                groupByUuid.put(node.getUuid(), node.getGroup());
            }
        }
        Map<String, String> groups = new HashMap<>();
        mini.getDataNodes().forEach(dn -> {
            String group = groupByUuid.get(dn.getDatanodeUuid());
            if (group != null) {
                groups.put("127.0.0.1:" + dn.getXferPort(), group);
            }
        });
        return groups;
    }

    /** The groups of the nodes that hold blocks of files below a path. */
    public Set<String> groupsBelow(String path) throws IOException {
        return groupsBelow(fs(), groupByAddress(), path);
    }

    static Set<String> groupsBelow(DistributedFileSystem fs, Map<String, String> groups, String path)
            throws IOException {
        Set<String> found = new HashSet<>();
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(new org.apache.hadoop.fs.Path(path), true);
        while (files.hasNext()) {
            for (BlockLocation block : files.next().getBlockLocations()) {
                for (String name : block.getNames()) {
                    found.add(groups.getOrDefault(name, "none"));
                }
            }
        }
        return found;
    }

    public List<String> filesBelow(String path) throws IOException {
        List<String> files = new ArrayList<>();
        if (fs().exists(new org.apache.hadoop.fs.Path(path))) {
            RemoteIterator<LocatedFileStatus> all = fs().listFiles(new org.apache.hadoop.fs.Path(path), true);
            while (all.hasNext()) {
                files.add(all.next().getPath().toUri().getPath());
            }
        }
        files.sort(null);
        return files;
    }

    public void write(String path, int bytes) throws IOException {
        write(fs(), path, bytes);
    }

    static void write(DistributedFileSystem fs, String path, int bytes) throws IOException {
        try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
            out.write(new byte[bytes]);
        }
    }

    public FileStatus stat(String path) throws IOException {
        return fs().getFileStatus(new org.apache.hadoop.fs.Path(path));
    }

    /** The inode id of a file. */
    public long inodeId(String path) throws IOException {
        return fs().getClient().getFileInfo(path).getFileId();
    }

    /** Without waiting for its DataNodes. */
    void restartNameNodeAlone() throws Exception {
        mini.restartNameNode(0, false);
        EndedNameNodes.release();
    }

    /**
     * Returns when the NameNode knows all blocks. A report that was on its way while the NameNode stopped is lost, and the
     * DataNode sends no other for hours, unless it is asked to.
     */
    public void restartNameNode() throws Exception {
        restartNameNodeWithoutReports();
        mini.triggerBlockReports();
    }

    /** Returns when the NameNode knows all DataNodes. */
    void restartNameNodeWithoutReports() throws Exception {
        mini.restartNameNode(0, false);
        EndedNameNodes.release();
        await().pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofMinutes(1))
                .until(mini::isClusterUp);
        mini.waitActive();
    }

    @Override
    public void close() {
        mini.shutdown(true);
        EndedNameNodes.release();
    }
}
