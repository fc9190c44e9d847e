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

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page and the metrics on the NameNode's web server; what the page shows is tested in a browser (dev-support/it). */
class WebPagesTest {
    private static final String LINK = "<a href=\"mpsr.html\">MPSR</a>";

    @TempDir
    private Path directory;

    private static HttpResponse<String> get(MiniDFSCluster cluster, int index, String path, String... headers)
            throws Exception {
        URI address = URI.create("http://127.0.0.1:"
                + cluster.getNameNode(index).getHttpAddress().getPort() + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private MiniDFSCluster start(Configuration conf, MiniDFSNNTopology topology) throws Exception {
        return new MiniDFSCluster.Builder(conf, directory.toFile())
                .nnTopology(topology)
                .numDataNodes(0)
                .build();
    }

    @Test
    void activeAndStandbyServeThePageToWhomTheyServeTheOthers() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "of the test");
        Configuration conf = TestCluster.threeGroups();
        conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
        conf.set("hadoop.http.authentication.type", "simple");
        conf.setBoolean("hadoop.http.authentication.simple.anonymous.allowed", false);
        conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
        conf.setBoolean("hadoop.prometheus.endpoint.enabled", true);
        try (MiniDFSCluster cluster = start(conf, MiniDFSNNTopology.simpleHATopology())) {
            cluster.transitionToActive(0);
            for (int index = 0; index < 2; index++) {
                for (String path : new String[] {
                    "/dfshealth.html",
                    "/mpsr.html",
                    "/mpsr.js",
                    "/mpsr.css",
                    "/mpsr-explore.html",
                    "/mpsr-explore/page.js",
                    "/mpsr-explore/third-party/uplot/LICENSE",
                    "/jmx",
                    "/prom"
                }) {
                    assertThat(get(cluster, index, path).statusCode())
                            .as(path)
                            .isEqualTo(get(cluster, index, "/explorer.html").statusCode())
                            .isEqualTo(401);
                }
                assertPages(cluster, index);
                assertPictures(cluster, index);
            }
            assertThat(get(cluster, 0, "/prom?user.name=me").body())
                    .containsPattern("# HELP mpsr_ready 1 when MPSR is ready, else 0\n# TYPE mpsr_ready gauge\n")
                    .containsPattern("mpsr_ready\\{[^}]*state=\"not_ready\"[^}]*} 0\n")
                    .containsPattern("mpsr_fenced_commits\\{[^}]*} 0\n");
        }
    }

    private static void assertPages(MiniDFSCluster cluster, int index) throws Exception {
        HttpResponse<String> page = get(cluster, index, "/mpsr.html?user.name=me");
        HttpResponse<String> stock = get(cluster, index, "/explorer.html?user.name=me");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).isEqualTo("text/html;charset=utf-8");
        for (String header : new String[] {"Cache-Control", "X-Content-Type-Options", "X-FRAME-OPTIONS"}) {
            assertThat(page.headers().firstValue(header))
                    .as(header)
                    .isPresent()
                    .isEqualTo(stock.headers().firstValue(header));
        }
        assertThat(page.body()).contains("<title>MPSR</title>", LINK).doesNotContain("@styles@", "@scripts@");
        assertNoInlineCode(page.body());
        for (String path : new String[] {"/mpsr.html", "/mpsr.js", "/mpsr.css"}) {
            assertThat(get(cluster, index, path + "?user.name=me").headers().firstValue("Content-Security-Policy"))
                    .as(path)
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'")
                            .doesNotContain("unsafe"));
        }
        assertThat(stock.headers().firstValue("Content-Security-Policy")).isEmpty();
        String since = page.headers().firstValue("Last-Modified").orElseThrow();
        assertThat(get(cluster, index, "/mpsr.html?user.name=me", "If-Modified-Since", since)
                        .statusCode())
                .isEqualTo(304);
        HttpResponse<String> script = get(cluster, index, "/mpsr.js?user.name=me");
        assertThat(script.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/javascript");
        assertThat(get(cluster, index, "/dfshealth.html?user.name=me").body())
                .containsOnlyOnce(LINK)
                .contains("tmpl-dfshealth");
        assertThat(get(cluster, index, "/jmx?user.name=me&qry=Hadoop:service=NameNode,name=MpsrInfo*")
                        .body())
                .contains("\"LastHealthCheck\"", "\"Datasets\" : [ ]", "\"name\" : \"signal\"");
    }

    private static void assertPictures(MiniDFSCluster cluster, int index) throws Exception {
        HttpResponse<String> page = get(cluster, index, "/mpsr-explore.html?user.name=me");
        assertThat(page.body()).contains("<title>MPSR: pictures</title>", LINK).doesNotContain("@styles@", "@scripts@");
        assertNoInlineCode(page.body());
        for (String path : new String[] {
            "/mpsr-explore.html",
            "/mpsr-explore/worker.js", // a worker's policy is its own
            "/mpsr-explore/third-party/fzstd/index.mjs"
        }) {
            HttpResponse<String> file = get(cluster, index, path + "?user.name=me");
            assertThat(file.headers().firstValue("Content-Type").orElseThrow())
                    .as(path)
                    .startsWith(path.endsWith("html") ? "text/html" : "application/javascript");
            assertThat(file.headers().firstValue("Content-Security-Policy"))
                    .as(path)
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'", "script-src 'self'", "worker-src 'self'", "base-uri 'none'")
                            .doesNotContain("unsafe"));
        }
        for (String path :
                new String[] {"/mpsr-explore/FILES", "/mpsr-explore/..%2Fstatus/mpsr.js", "/mpsr-explore/"}) {
            assertThat(get(cluster, index, path + "?user.name=me").statusCode())
                    .as(path)
                    .isIn(400, 404);
        }
    }

    /** What the page's policy would keep from running. */
    private static void assertNoInlineCode(String html) {
        assertThat(html)
                .doesNotContainPattern("<script(?![^>]*\\bsrc=)")
                .doesNotContainPattern("<[^>]*\\son[a-z]+\\s*=")
                .doesNotContainPattern("<[^>]*\\sstyle\\s*=")
                .doesNotContain("<style", "javascript:");
    }

    @Test
    void withoutOurConfigurationThereIsNothingOfIt() throws Exception {
        try (MiniDFSCluster cluster = start(
                TestCluster.stock(),
                new MiniDFSNNTopology()
                        .addNameservice(
                                new MiniDFSNNTopology.NSConf(null).addNN(new MiniDFSNNTopology.NNConf(null))))) {
            assertThat(get(cluster, 0, "/dfshealth.html").body())
                    .doesNotContain("MPSR")
                    .contains("tmpl-dfshealth");
            assertThat(get(cluster, 0, "/mpsr.html").statusCode()).isEqualTo(404);
        }
    }
}
