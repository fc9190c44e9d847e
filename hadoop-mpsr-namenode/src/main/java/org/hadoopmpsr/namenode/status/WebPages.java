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
package org.hadoopmpsr.namenode.status;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.eclipse.jetty.servlet.ServletHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.webapp.WebAppContext;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The page of MPSR in the NameNode's web UI, and the link to it. It is served behind the same filters as the other
 * pages, and therefore under the same rules of authentication. Its content comes from {@code /jmx}. If Hadoop's page is
 * not as expected, it stays unchanged, and there is no page of ours.
 */
public final class WebPages {
    private static final Logger LOG = PrintableLog.of(WebPages.class);
    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "application/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";
    /**
     * The page runs and asks nothing but the NameNode's own: no script, style or handler in the page, and no code that
     * is made of text. Who may show the page in a frame is for Hadoop's {@code X-Frame-Options}, which operators set.
     */
    private static final Map<String, String> POLICY = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'",
            "Referrer-Policy",
            "no-referrer");

    private WebPages() {}

    /** Adds the page to the NameNode's running web server. */
    public static void install(MpsrNamesystem system) throws IOException {
        WebAppContext web = system.http().getWebAppContext();
        URL stock = web.getServletContext().getResource(StockPage.PATH);
        StockPage page =
                stock == null ? null : StockPage.of(text(stock.openStream())).orElse(null);
        if (page == null) {
            LOG.warn("MPSR: the web UI's page {} has no navigation to add to; see /jmx instead", StockPage.PATH);
            return;
        }
        long now = system.clock().now();
        Map<String, ConstantAnswer> pages = new HashMap<>(PictureFiles.all(page, now));
        pages.put("/mpsr.html", answer(HTML, page.dress(text(resource("mpsr.html"))), now, POLICY));
        pages.put("/mpsr.js", answer(SCRIPT, text(resource("mpsr.js")), now, POLICY));
        pages.put("/mpsr.css", answer(STYLE, text(resource("mpsr.css")), now, POLICY));
        pages.put(
                StockPage.PATH, answer(HTML, page.withLink(), now, Map.of())); // Hadoop's own page needs inline scripts
        ServletHandler handler = web.getServletHandler();
        pages.forEach((path, text) -> {
            ServletHolder holder = new ServletHolder(text);
            holder.setName("mpsr " + path);
            handler.addServletWithMapping(holder, path);
        });
    }

    private static ConstantAnswer answer(String type, String text, long now, Map<String, String> headers) {
        return new ConstantAnswer(type, text.getBytes(StandardCharsets.UTF_8), now, headers);
    }

    private static @Nullable InputStream resource(String name) {
        return WebPages.class.getResourceAsStream(name);
    }

    static String text(@Nullable InputStream from) throws IOException {
        if (from == null) {
            throw new FileNotFoundException("a page of MPSR's web UI is missing in its jar");
        }
        try (from) {
            return new String(from.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
