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
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;

/** Datasets by their names in the catalog: the directories above a dataset are its namespace, and its own name is that of the table. */
final class Tables {
    /** Between the name of a table and that of one of its groups. Trino and Hive know no names with a dollar. */
    private static final List<String> GROUP_MARKS = List.of("$", "__");

    private Tables() {}

    /** True if a directory of HDFS can have this name. */
    static boolean isName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.chars().noneMatch(c -> c == '/' || c == ':' || c < ' ');
    }

    /** The name of a dataset; empty for one in the root directory, which has no namespace. */
    static Optional<TableIdentifier> name(Dataset dataset) {
        String[] names = dataset.path().substring(1).split("/");
        return names.length < 2
                ? Optional.empty()
                : Optional.of(TableIdentifier.of(
                        Namespace.of(Arrays.copyOf(names, names.length - 1)), names[names.length - 1]));
    }

    /** The directory of a namespace. */
    static String directory(Namespace namespace) {
        return "/" + String.join("/", namespace.levels());
    }

    /** The directory of the dataset that a table of this name would be. */
    static String path(TableIdentifier table) {
        return directory(table.namespace()) + "/" + table.name();
    }

    /** One group of a table. */
    record OfGroup(TableIdentifier table, String group) {}

    /**
     * The tables and groups that a name may ask for: {@code meas$signal} and {@code meas__signal} ask for the group {@code signal} of
     * {@code meas}. A name may be read in some ways, as both parts may have underscores.
     */
    static Set<OfGroup> ofGroup(TableIdentifier name) {
        Set<OfGroup> found = new LinkedHashSet<>();
        String text = name.name();
        for (String mark : GROUP_MARKS) {
            for (int at : new int[] {text.lastIndexOf(mark), text.indexOf(mark, 1)}) {
                if (at > 0 && at + mark.length() < text.length()) {
                    found.add(new OfGroup(
                            TableIdentifier.of(name.namespace(), text.substring(0, at)),
                            text.substring(at + mark.length())));
                }
            }
        }
        return found;
    }

    /** Those of some tables that are directly in a namespace. */
    static List<TableIdentifier> in(Namespace namespace, List<TableIdentifier> tables) {
        return tables.stream()
                .filter(name -> name.namespace().equals(namespace))
                .toList();
    }

    /** The namespaces of some tables that are directly in a namespace; in the empty one, the first directories. */
    static List<Namespace> children(Namespace parent, List<TableIdentifier> tables) {
        TreeSet<String> names = new TreeSet<>();
        int depth = parent.levels().length;
        for (TableIdentifier table : tables) {
            String[] levels = table.namespace().levels();
            if (levels.length > depth
                    && Namespace.of(Arrays.copyOf(levels, depth)).equals(parent)) {
                names.add(levels[depth]);
            }
        }
        return names.stream()
                .map(name -> {
                    String[] levels = Arrays.copyOf(parent.levels(), depth + 1);
                    levels[depth] = name;
                    return Namespace.of(levels);
                })
                .toList();
    }

    /** All tables that the user of a client can see. */
    static List<TableIdentifier> all(MpsrClient client) throws IOException {
        return client.listDatasets().stream()
                .flatMap(dataset -> name(dataset).stream())
                .toList();
    }
}
