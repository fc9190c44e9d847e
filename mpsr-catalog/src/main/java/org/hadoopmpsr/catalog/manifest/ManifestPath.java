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
package org.hadoopmpsr.catalog.manifest;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where clients find a list of manifests, or one of them, such as {@code /cals/meas/.manifests/signal/17/list.avro}.
 *
 * @param dataset the path of the dataset
 * @param group whose files they list
 * @param change the number of the change whose state they list
 * @param file the name of the list or of a manifest
 * @param filled true for clients that fill columns from the partitions of files; others have tables without these columns, and specs
 *     without their fields
 */
public record ManifestPath(String dataset, String group, long change, String file, boolean filled) {
    /** The name of a list. */
    public static final String LIST = "list.avro";

    private static final String FILLED = ".manifests";
    private static final String STORED = ".manifests-stored";
    private static final int NAMES_BELOW = 4;

    /** The list of a state. */
    public static ManifestPath list(String dataset, String group, long change, boolean filled) {
        return new ManifestPath(dataset, group, change, LIST, filled);
    }

    /** Reads a path; empty if it leads to no list and to no manifest. */
    public static Optional<ManifestPath> parse(String path) {
        List<String> names = Arrays.asList(path.split("/", -1));
        int at = names.size() - NAMES_BELOW;
        if (at < 2 || !names.get(0).isEmpty() || !Set.of(FILLED, STORED).contains(names.get(at))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ManifestPath(
                    String.join("/", names.subList(0, at)),
                    names.get(at + 1),
                    Long.parseLong(names.get(at + 2)),
                    names.get(at + 3),
                    names.get(at).equals(FILLED)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Another file of the same list. */
    ManifestPath beside(String name) {
        return new ManifestPath(dataset, group, change, name, filled);
    }

    /** The path as clients ask for it; {@link #parse} reads it. */
    public String text() {
        return String.join("/", dataset, filled ? FILLED : STORED, group, Long.toString(change), file);
    }
}
