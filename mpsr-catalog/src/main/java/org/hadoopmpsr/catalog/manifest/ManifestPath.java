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

/**
 * Where clients find a list of manifests, or one of them, such as {@code /cals/meas/.manifests/signal/17/list.avro}.
 *
 * @param dataset the path of the dataset
 * @param group whose files they list
 * @param change the number of the change whose state they list
 * @param file the name of the list or of a manifest
 */
public record ManifestPath(String dataset, String group, long change, String file) {
    /** The name of a list. */
    public static final String LIST = "list.avro";

    private static final String DIRECTORY = ".manifests";
    private static final int NAMES_BELOW = 4;

    /** The list of a state. */
    public static ManifestPath list(String dataset, String group, long change) {
        return new ManifestPath(dataset, group, change, LIST);
    }

    /** Reads a path; empty if it leads to no list and to no manifest. */
    public static Optional<ManifestPath> parse(String path) {
        List<String> names = Arrays.asList(path.split("/", -1));
        int at = names.size() - NAMES_BELOW;
        if (at < 2 || !names.get(0).isEmpty() || !names.get(at).equals(DIRECTORY)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ManifestPath(
                    String.join("/", names.subList(0, at)),
                    names.get(at + 1),
                    Long.parseLong(names.get(at + 2)),
                    names.get(at + 3)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Another file of the same list. */
    ManifestPath beside(String name) {
        return new ManifestPath(dataset, group, change, name);
    }

    /** The path as clients ask for it; {@link #parse} reads it. */
    public String text() {
        return String.join("/", dataset, DIRECTORY, group, Long.toString(change), file);
    }
}
