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
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;

/** Datasets by their names in the catalog: the directories above a dataset are its namespace, and its own name is that of the table. */
final class Tables {
    /** Between the name of a table and that of one of its groups. */
    private static final char GROUP = '$';

    private Tables() {}

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

    /** The dataset directory of a table. */
    static String path(TableIdentifier table) {
        int at = table.name().lastIndexOf(GROUP);
        return directory(table.namespace()) + "/"
                + (at < 0 ? table.name() : table.name().substring(0, at));
    }

    /** The group that a name of a table asks for: {@code signal} in {@code meas$signal}. */
    static Optional<String> group(TableIdentifier table) {
        int at = table.name().lastIndexOf(GROUP);
        return at < 0 ? Optional.empty() : Optional.of(table.name().substring(at + 1));
    }

    /** The tables directly in a namespace, of those that the caller can see. */
    static List<TableIdentifier> in(Namespace namespace, MpsrClient client) throws IOException {
        return all(client).stream()
                .filter(name -> name.namespace().equals(namespace))
                .toList();
    }

    /** The namespaces directly in a namespace; in the empty one, the first directories. */
    static List<Namespace> children(Namespace parent, MpsrClient client) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        int depth = parent.levels().length;
        for (TableIdentifier table : all(client)) {
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

    private static List<TableIdentifier> all(MpsrClient client) throws IOException {
        return client.listDatasets().stream()
                .flatMap(dataset -> name(dataset).stream())
                .toList();
    }
}
