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

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.federation.resolver.ActiveNamenodeResolver;
import org.apache.hadoop.hdfs.server.federation.resolver.FederationNamenodeContext;
import org.apache.hadoop.hdfs.server.federation.resolver.FederationNamenodeServiceState;
import org.apache.hadoop.hdfs.server.federation.resolver.FederationNamespaceInfo;
import org.apache.hadoop.hdfs.server.federation.resolver.FileSubclusterResolver;
import org.apache.hadoop.hdfs.server.federation.resolver.NamenodeStatusReport;
import org.apache.hadoop.hdfs.server.federation.resolver.PathLocation;
import org.apache.hadoop.hdfs.server.federation.resolver.RemoteLocation;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.apache.hadoop.hdfs.server.federation.store.StateStoreService;
import org.jspecify.annotations.Nullable;

/** What a router is told of a federation of one NameNode, which holds all paths. */
final class OneNamespace {
    private static final String ID = "ns";
    private static final String ADDRESS = "test.namenode.address";

    private OneNamespace() {}

    /** Starts a router before a NameNode. */
    static Router router(Configuration cluster, String nameNode) {
        Configuration conf = new Configuration(cluster);
        conf.set(ADDRESS, nameNode);
        conf.set(RBFConfigKeys.DFS_ROUTER_RPC_ADDRESS_KEY, "127.0.0.1:0");
        conf.set(RBFConfigKeys.DFS_ROUTER_DEFAULT_NAMESERVICE, ID);
        conf.setClass(RBFConfigKeys.FEDERATION_FILE_RESOLVER_CLIENT_CLASS, Files.class, FileSubclusterResolver.class);
        conf.setClass(
                RBFConfigKeys.FEDERATION_NAMENODE_RESOLVER_CLIENT_CLASS, NameNodes.class, ActiveNamenodeResolver.class);
        for (String part : List.of(
                RBFConfigKeys.DFS_ROUTER_STORE_ENABLE,
                RBFConfigKeys.DFS_ROUTER_ADMIN_ENABLE,
                RBFConfigKeys.DFS_ROUTER_HTTP_ENABLE,
                RBFConfigKeys.DFS_ROUTER_METRICS_ENABLE,
                RBFConfigKeys.DFS_ROUTER_SAFEMODE_ENABLE,
                RBFConfigKeys.DFS_ROUTER_HEARTBEAT_ENABLE,
                RBFConfigKeys.DFS_ROUTER_NAMENODE_HEARTBEAT_ENABLE)) {
            conf.setBoolean(part, false);
        }
        Router router = new Router();
        router.init(conf);
        router.start();
        return router;
    }

    /** Every path is where it is. */
    public static final class Files implements FileSubclusterResolver {
        public Files(Configuration conf, Router router) {}

        @Override
        public PathLocation getDestinationForPath(String path) {
            return new PathLocation(path, List.of(new RemoteLocation(ID, path, path)));
        }

        @Override
        public @Nullable List<String> getMountPoints(String path) {
            return null;
        }

        @Override
        public String getDefaultNamespace() {
            return ID;
        }
    }

    /** The one NameNode. */
    public static final class NameNodes implements ActiveNamenodeResolver {
        private final NameNode nameNode;

        public NameNodes(Configuration conf, StateStoreService store) {
            nameNode = new NameNode(Objects.requireNonNull(conf.get(ADDRESS)));
        }

        @Override
        public void updateUnavailableNamenode(String namespace, InetSocketAddress failed) {}

        @Override
        public void updateActiveNamenode(String namespace, InetSocketAddress successful) {}

        @Override
        public List<? extends FederationNamenodeContext> getNamenodesForNameserviceId(
                String namespace, boolean observersFirst) {
            return List.of(nameNode);
        }

        @Override
        public List<? extends FederationNamenodeContext> getNamenodesForBlockPoolId(String pool) {
            return List.of(nameNode);
        }

        @Override
        public boolean registerNamenode(NamenodeStatusReport report) {
            return true;
        }

        @Override
        public Set<FederationNamespaceInfo> getNamespaces() {
            return Set.of(new FederationNamespaceInfo("pool", "cluster", ID));
        }

        @Override
        public Set<String> getDisabledNamespaces() {
            return Set.of();
        }

        @Override
        public void setRouterId(String routerId) {}

        @Override
        public void rotateCache(String namespace, FederationNamenodeContext last, boolean observersFirst) {}
    }

    private record NameNode(String address) implements FederationNamenodeContext {
        @Override
        public String getRpcAddress() {
            return address;
        }

        @Override
        public String getServiceAddress() {
            return address;
        }

        @Override
        public String getLifelineAddress() {
            return address;
        }

        @Override
        public String getWebScheme() {
            return "http";
        }

        @Override
        public String getWebAddress() {
            return address;
        }

        @Override
        public String getNamenodeKey() {
            return ID + "-" + address;
        }

        @Override
        public String getNameserviceId() {
            return ID;
        }

        @Override
        public String getNamenodeId() {
            return "";
        }

        @Override
        public FederationNamenodeServiceState getState() {
            return FederationNamenodeServiceState.ACTIVE;
        }

        @Override
        public long getDateModified() {
            return 0;
        }
    }
}
