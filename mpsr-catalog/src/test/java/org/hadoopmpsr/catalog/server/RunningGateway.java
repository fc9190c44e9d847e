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

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.rest.RESTCatalog;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.catalog.Gateway;
import org.hadoopmpsr.testing.MiniCluster;

/** A gateway of a small cluster, with the dataset {@code /cals/meas}: of 300 records, the tag {@code first}, and 200 records more. */
final class RunningGateway implements AutoCloseable {
    /** Replays a failure of a test with random values. */
    static final long SEED = Long.getLong("mpsr.seed", 20261127);

    static final int FIRST = 300;
    static final int BODY_BYTES = 1 << 20;
    static final int APPEND_BYTES = 1 << 17;

    private final MiniDFSCluster dfs;
    private final WrittenDataset dataset;
    private final CatalogServer server;
    private final HttpClient http = HttpClient.newHttpClient();

    /** @param options of the gateway, at any free port */
    RunningGateway(Gateway.Options options) throws Exception {
        this(options, conf -> {});
    }

    /** @param configured what the cluster has of its own */
    RunningGateway(Gateway.Options options, Consumer<Configuration> configured) throws Exception {
        Configuration conf = MiniCluster.stock();
        MiniCluster.addThreeGroups(conf);
        conf.set("dfs.mpsr.replica.group.device.predicates", "device");
        configured.accept(conf);
        letImpersonate(conf);
        dfs = MiniCluster.start(MiniCluster.builder(conf, 3, 3));
        dataset = new WrittenDataset(dfs, "/cals/meas");
        Random random = new Random(SEED);
        dataset.commit(random, FIRST);
        try (MpsrClient client = dataset.client()) {
            client.tag("/cals/meas", null, "first", null);
        }
        dataset.commit(random, 200);
        Configuration own = new Configuration(dfs.getConfiguration(0));
        own.setBoolean("hadoop.prometheus.endpoint.enabled", true); // in one process one web server has it
        server = CatalogServer.start(own, dfs.getURI(), options);
    }

    /** A gateway whose pages have three files. */
    RunningGateway() throws Exception {
        this(options(3, 16));
    }

    static Gateway.Options options(int pageFiles, int plans) {
        return new Gateway.Options("127.0.0.1", 0, pageFiles, BODY_BYTES, plans, 100_000, 2, APPEND_BYTES, false);
    }

    /** Makes the user of this process a proxy user. */
    static void letImpersonate(Configuration conf) throws IOException {
        String own = UserGroupInformation.getCurrentUser().getShortUserName();
        conf.set("hadoop.proxyuser." + own + ".hosts", "*");
        conf.set("hadoop.proxyuser." + own + ".groups", "*");
        ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
    }

    MiniDFSCluster dfs() {
        return dfs;
    }

    WrittenDataset dataset() {
        return dataset;
    }

    URI uri() {
        return server.uri();
    }

    /** Iceberg's own client. */
    RESTCatalog catalog() {
        return catalog(uri(), dfs);
    }

    /** Iceberg's own client of a gateway. */
    static RESTCatalog catalog(URI uri, MiniDFSCluster dfs) {
        RESTCatalog catalog = new RESTCatalog();
        catalog.setConf(new Configuration(dfs.getConfiguration(0)));
        catalog.initialize(
                "mpsr",
                Map.of("uri", uri.toString(), "io-impl", HadoopFileIO.class.getName(), "rest.auth.type", "none"));
        return catalog;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri().resolve(path)).GET());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri().resolve(path)).POST(BodyPublishers.ofString(body)));
    }

    /** Sends a request as the user whom the gateway takes without a name. */
    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() throws IOException {
        try {
            server.close();
        } finally {
            dfs.shutdown(true);
        }
    }
}
