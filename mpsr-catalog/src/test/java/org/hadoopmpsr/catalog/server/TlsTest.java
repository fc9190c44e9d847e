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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.client.catalog.Gateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that serves over TLS has the keys that Hadoop's file for servers names. */
class TlsTest {
    private static final String PASSWORD = "a-password";
    private static final Gateway.Options TLS = new Gateway.Options("127.0.0.1", 0, 5, 1_000, 4, 10, 1, 1_000, true);
    /** Which clients of HDFS are made for, and is not asked. */
    private static final URI FS = URI.create("hdfs://127.0.0.1:9");

    @TempDir
    private Path dir;

    private Path keys() throws Exception {
        Path keys = dir.resolve("keys.p12");
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        keys.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keyalg",
                        "EC",
                        "-alias",
                        "gateway",
                        "-dname",
                        "CN=gateway",
                        "-ext",
                        "san=ip:127.0.0.1")
                .redirectErrorStream(true)
                .start();
        String told = new String(made.getInputStream().readAllBytes());
        assertThat(made.waitFor()).as(told).isZero();
        return keys;
    }

    private static HttpClient trusting(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private void writeSslServer(Path keys) throws IOException {
        Configuration file = new Configuration(false);
        file.set("ssl.server.keystore.location", keys.toString());
        file.set("ssl.server.keystore.type", "PKCS12");
        file.set("ssl.server.keystore.password", PASSWORD);
        file.set("ssl.server.keystore.keypassword", PASSWORD);
        try (OutputStream out = Files.newOutputStream(dir.resolve("ssl-server.xml"))) {
            file.writeXml(out);
        }
    }

    @Test
    void clientsThatTrustTheKeysAreServed() throws Exception {
        Path keys = keys();
        writeSslServer(keys);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {dir.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            try (CatalogServer server = CatalogServer.start(new Configuration(), FS, TLS)) {
                assertThat(server.uri().getScheme()).isEqualTo("https");
                HttpRequest request = HttpRequest.newBuilder(server.uri().resolve("/v1/config"))
                        .build();
                HttpResponse<String> answer = trusting(keys).send(request, BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThatThrownBy(() -> HttpClient.newHttpClient().send(request, BodyHandlers.ofString()))
                        .hasMessageContaining("PKIX");
                HttpRequest plain = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + server.uri().getPort() + "/v1/config"))
                        .build();
                assertThatThrownBy(() -> trusting(keys).send(plain, BodyHandlers.ofString()))
                        .isInstanceOf(IOException.class);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void withoutKeysItDoesNotBegin() {
        assertThatThrownBy(() -> CatalogServer.start(new Configuration(), FS, TLS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ssl-server.xml");
    }
}
