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

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import javax.servlet.http.HttpServlet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.eclipse.jetty.servlet.ServletHolder;
import org.hadoopmpsr.catalog.append.Appends;
import org.hadoopmpsr.catalog.manifest.Manifests;
import org.hadoopmpsr.client.catalog.Gateway;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/**
 * A gateway of Iceberg's REST protocol: Hadoop's own web server, with its filters for authentication, its metrics and its pages. Keeps
 * nothing but caches; any number of gateways may serve one cluster.
 */
public final class CatalogServer implements Closeable {
    static final String ROOT = "/v1";
    private static final String NAME = "mpsr-catalog";
    private static final String SECRET_FILE = "hadoop.http.authentication.signature.secret.file";
    private static final String FILTERS = "hadoop.http.filter.initializers";
    private static final int SECRET_BYTES = 32;
    private static final long MANIFEST_BYTES = 64L << 20;
    private static final Logger LOG = PrintableLog.of(CatalogServer.class);

    private final HttpServer2 server;
    private final Callers callers;
    private final String scheme;

    private CatalogServer(HttpServer2 server, Callers callers, String scheme) {
        this.server = server;
        this.callers = callers;
        this.scheme = scheme;
    }

    /**
     * Starts a gateway.
     *
     * @param fs the URI of the file system
     */
    public static CatalogServer start(Configuration conf, URI fs, Gateway.Options options) throws IOException {
        boolean secure = UserGroupInformation.isSecurityEnabled();
        Callers callers = new Callers(conf, fs, secure ? "" : conf.get("hadoop.http.staticuser.user", "dr.who"));
        GatewayMetrics metrics = new GatewayMetrics();
        HttpServlet servlet = new CatalogServlet(
                new CatalogService(
                        PythonClients.properties(conf, fs), new Appends(options.appends(), options.appendBytes())),
                new ScanService(secret(conf), options, metrics),
                callers,
                options.bodyBytes());
        Configuration web = new Configuration(conf);
        if (secure) {
            web.set(FILTERS, GatewayFilters.class.getName());
        }
        String scheme = options.tls() ? "https" : "http";
        HttpServer2.Builder builder = new HttpServer2.Builder()
                .setName(NAME)
                .setConf(web)
                .setFindPort(false)
                .addEndpoint(URI.create(scheme + "://" + options.host() + ":" + options.port()));
        if (options.tls()) {
            builder.setSSLConf(keys(conf));
        }
        HttpServer2 server = builder.build();
        server.getWebAppContext().addServlet(new ServletHolder(servlet), ROOT + "/*");
        HttpServlet manifests = new ManifestServlet(new Manifests(MANIFEST_BYTES), callers);
        server.getWebAppContext().addServlet(new ServletHolder(manifests), ManifestServlet.ROOT + "/*");
        MetricsSystem system = DefaultMetricsSystem.initialize(GatewayMetrics.NAME);
        system.register(GatewayMetrics.NAME, "The gateway of Iceberg's REST protocol", metrics);
        server.start();
        return new CatalogServer(server, callers, scheme);
    }

    private static Configuration keys(Configuration conf) throws IOException {
        Configuration keys = SSLFactory.readSSLConfiguration(conf, SSLFactory.Mode.SERVER);
        if (keys.get(SSLFactory.SSL_SERVER_KEYSTORE_LOCATION) == null) {
            throw new IOException("the gateway cannot serve over TLS: there is no "
                    + conf.get(SSLFactory.SSL_SERVER_CONF_KEY, SSLFactory.SSL_SERVER_CONF_DEFAULT)
                    + " with ssl.server.keystore.location in the directory of Hadoop's configuration");
        }
        return keys;
    }

    /** That of Hadoop's web servers, which all hosts of a cluster can have; else one of this process alone. */
    private static byte[] secret(Configuration conf) throws IOException {
        Path file = Path.of(conf.get(SECRET_FILE, ""));
        if (!file.toString().isEmpty() && Files.isReadable(file)) {
            return Files.readAllBytes(file);
        }
        LOG.info("there is no file of {}: pages of plans can be asked of this gateway alone", SECRET_FILE);
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    /** Where clients find the gateway: the {@code uri} of their catalog. */
    public URI uri() {
        InetSocketAddress address = server.getConnectorAddress(0);
        return URI.create(scheme + "://" + address.getHostString() + ":" + address.getPort());
    }

    /** Waits until the gateway has ended. */
    public void join() throws InterruptedException {
        server.join();
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (Exception e) { // as it is declared
            throw new IOException("the gateway did not stop", e);
        } finally {
            DefaultMetricsSystem.shutdown();
            callers.close();
        }
    }
}
