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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of the page of pictures: docs/explore.md. Only those that the lists in the jar name are served, so that no path of a
 * request becomes a name of a resource.
 */
final class PictureFiles {
    /** Where the web server has the page. */
    static final String PAGE = "/mpsr-explore.html";

    private static final String FOLDER = "/mpsr-explore/";
    private static final String RESOURCES = "/org/hadoopmpsr/namenode/explore/";
    private static final String OF_OTHERS = "third-party/";
    private static final Map<String, String> TYPES = Map.of(
            "js", "application/javascript; charset=utf-8",
            "mjs", "application/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8");

    /**
     * The page reads files from DataNodes, whose addresses nobody knows beforehand; nothing but scripts of the NameNode
     * runs in it, as in MPSR's other page.
     */
    private static final Map<String, String> POLICY = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; font-src 'self'; img-src 'self';"
                    + " connect-src 'self' http: https:; base-uri 'none'; form-action 'none'",
            "Referrer-Policy",
            "no-referrer");

    private PictureFiles() {}

    /**
     * The answers by their paths.
     *
     * @param stock the page of Hadoop that dresses ours
     * @param now in milliseconds
     * @throws IOException if one is missing in the jar
     */
    static Map<String, ConstantAnswer> all(StockPage stock, long now) throws IOException {
        Map<String, ConstantAnswer> answers = new TreeMap<>();
        String page = stock.dress(text("mpsr-explore.html"));
        answers.put(PAGE, new ConstantAnswer("text/html; charset=utf-8", bytes(page), now, POLICY));
        Stream<String> own = text("FILES").lines();
        Stream<String> others = text(OF_OTHERS + "SHA256SUMS").lines().map(line -> OF_OTHERS + line.split(" +", 2)[1]);
        for (String file : Stream.concat(own, others).toList()) {
            String type = TYPES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "text/plain; charset=utf-8");
            answers.put(FOLDER + file, new ConstantAnswer(type, bytes(text(file)), now, POLICY));
        }
        return answers;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(String file) throws IOException {
        return WebPages.text(PictureFiles.class.getResourceAsStream(RESOURCES + file));
    }
}
