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

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The main page of Hadoop's web UI: the place of our link, and the parts that our page takes to look alike, in any
 * Hadoop version. Immutable.
 */
final class StockPage {
    static final String PATH = "/dfshealth.html";

    private static final Pattern STYLES = Pattern.compile("<link\\b[^>]*\\bhref=\"/static/[^\"]*\"[^>]*>");
    private static final Pattern SCRIPTS =
            Pattern.compile("<script\\b[^>]*\\bsrc=\"/static/[^\"]*\"[^>]*>\\s*</script>");
    private static final Pattern NAVIGATION = Pattern.compile("<header\\b.*?</header>", Pattern.DOTALL);
    /** The first menu, which follows the tabs. */
    private static final String MENU = "<li class=\"dropdown\">";

    private static final String LINK = "<li><a href=\"mpsr.html\">MPSR</a></li>";

    private final String html;
    private final String navigation;

    private StockPage(String html, String navigation) {
        this.html = html;
        this.navigation = navigation;
    }

    /** The page; empty if this page has no known navigation. */
    static Optional<StockPage> of(String html) {
        Matcher header = NAVIGATION.matcher(html);
        return header.find() && header.group().contains(MENU)
                ? Optional.of(new StockPage(html, header.group()))
                : Optional.empty();
    }

    /** The page with a link to ours after its tabs. */
    String withLink() {
        return html.replace(navigation, navigation.replace(MENU, LINK + "\n    " + MENU));
    }

    /** A page of ours: the template with {@code @styles@}, {@code @navigation@} and {@code @scripts@} replaced. */
    String dress(String template) {
        String active = LINK.replace("<li>", "<li class=\"active\">") + "\n    " + MENU;
        String elsewhere = navigation.replace("href=\"#tab-", "href=\"dfshealth.html#tab-");
        return template.replace("@styles@", all(STYLES))
                .replace("@navigation@", elsewhere.replace(MENU, active))
                .replace("@scripts@", all(SCRIPTS));
    }

    private String all(Pattern pattern) {
        return pattern.matcher(html).results().map(r -> r.group()).collect(Collectors.joining("\n"));
    }
}
