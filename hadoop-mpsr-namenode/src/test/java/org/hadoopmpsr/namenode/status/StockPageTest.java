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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StockPageTest {
    private static final String LINK = "<a href=\"mpsr.html\">MPSR</a>";

    private static String hadoops() throws IOException {
        try (InputStream in = StockPageTest.class.getResourceAsStream("/webapps/hdfs/dfshealth.html")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theLinkIsAllThatIsAdded() throws Exception {
        String stock = hadoops();
        String linked = StockPage.of(stock).orElseThrow().withLink();

        assertThat(linked).containsOnlyOnce(LINK);
        assertThat(linked.replaceFirst("<li>" + LINK + "</li>\\s*", "")).isEqualTo(stock);
    }

    @Test
    void ourPageIsDressedLikeHadoops() throws Exception {
        String page = StockPage.of(hadoops()).orElseThrow().dress("@styles@|@navigation@|@scripts@");
        String[] parts = page.split("\\|");

        assertThat(parts).hasSize(3);
        assertThat(parts[0]).contains("/static/bootstrap-", "/static/hadoop.css");
        assertThat(parts[1])
                .contains("<li class=\"active\">" + LINK, "href=\"dfshealth.html#tab-datanode\"", "href=\"jmx\"")
                .doesNotContain("href=\"#tab-");
        assertThat(parts[2]).contains("/static/jquery-", "/static/dust-full-").doesNotContain("dfshealth.js");
    }

    @Test
    void aPageWithoutNavigationIsLeftAlone() {
        assertThat(StockPage.of("<html><body>maintenance</body></html>")).isEmpty();
        assertThat(StockPage.of("<header><ul><li>Overview</li></ul></header>")).isEmpty();
    }
}
