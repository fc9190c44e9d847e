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
package org.hadoopmpsr.catalog.table;

import java.util.Map;
import org.apache.iceberg.TableProperties;

/**
 * Where a caller's client writes the files of an append. Each caller has a directory of their own in that of the dataset, with a name that
 * readers of directories leave out.
 *
 * @param root its URI, with the scheme
 */
public record WritePlace(String root) {
    private static final String PREFIX = ".iceberg-";

    /**
     * The place of a user.
     *
     * @param location the URI of the dataset directory
     */
    public static WritePlace of(String location, String user) {
        return new WritePlace(location + "/" + PREFIX + user.replaceAll("[^A-Za-z0-9_.@-]", "_"));
    }

    /** The properties of a table by which clients write here, and copy no manifests of others. */
    public Map<String, String> properties() {
        return Map.of(
                TableProperties.WRITE_DATA_LOCATION,
                root + "/data",
                TableProperties.WRITE_METADATA_LOCATION,
                root + "/metadata",
                TableProperties.MANIFEST_MERGE_ENABLED,
                "false",
                TableProperties.DEFAULT_FILE_FORMAT,
                "parquet");
    }

    /** Whether a file lies here. Names that lead elsewhere do not. */
    public boolean has(String file) {
        if (!file.startsWith(root + "/")) {
            return false;
        }
        for (String name : file.substring(root.length() + 1).split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                return false;
            }
        }
        return true;
    }
}
