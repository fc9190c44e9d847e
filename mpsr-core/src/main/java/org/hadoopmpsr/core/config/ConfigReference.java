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
package org.hadoopmpsr.core.config;

import java.util.List;
import java.util.stream.Stream;

/** Generates the reference page and the default XML from {@link ConfigKeys}. */
public final class ConfigReference {

    private ConfigReference() {}

    /** The reference page as Markdown. */
    public static String markdown() {
        StringBuilder page = new StringBuilder("# Configuration\n\n"
                + "Keys of `hdfs-site.xml`. `<g>` stands for the name of a replica group. The NameNode validates all keys together when"
                + " it starts. If a value is wrong, the NameNode lists key, value, cause and fix, and runs as a plain HDFS with"
                + " MPSR off.\n\n");
        table(page, ConfigKeys.all());
        page.append("\n## Maintenance\n\nKeys of `hdfs-site.xml` on the host that runs `hdfs mpsr maintain`.\n\n");
        table(page, ConfigKeys.ofMaintenance());
        page.append(
                "\n## MapReduce jobs\n\nKeys of `mapred-site.xml`, or of one job (`hadoop jar ... -Dkey=value`).\n\n");
        table(page, ConfigKeys.ofJobs());
        return page.toString();
    }

    private static void table(StringBuilder page, List<ConfigKey> keys) {
        page.append("| key | value | default | meaning |\n|---|---|---|---|\n");
        for (ConfigKey key : keys) {
            page.append("| `")
                    .append(key.name())
                    .append("` | ")
                    .append(key.type())
                    .append(" | ")
                    .append(key.defaultValue().isEmpty() ? "" : "`" + key.defaultValue() + "`")
                    .append(" | ")
                    .append(key.doc().replace("|", "\\|"))
                    .append(" |\n");
        }
    }

    /** The keys with their defaults as a Hadoop configuration file. */
    public static String xml() {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        List<ConfigKey> keys = Stream.concat(ConfigKeys.all().stream(), ConfigKeys.ofMaintenance().stream())
                .toList();
        for (ConfigKey key : keys) {
            xml.append("  <property>\n    <name>")
                    .append(escape(key.name()))
                    .append("</name>\n    <value>")
                    .append(escape(key.defaultValue()))
                    .append("</value>\n    <description>")
                    .append(escape(key.doc()))
                    .append("</description>\n  </property>\n");
        }
        return xml.append("</configuration>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
