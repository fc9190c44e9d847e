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

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A list of manifests and the manifests.
 *
 * @param files the bytes of each by its name; nobody changes them
 */
record ManifestSet(Map<String, byte[]> files) {
    ManifestSet {
        files = Map.copyOf(files);
    }

    /** The bytes of a file; null if there is none of this name. */
    byte @Nullable [] file(String name) {
        return files.get(name);
    }

    /** The bytes of all files together. */
    long bytes() {
        return files.values().stream().mapToLong(file -> file.length).sum();
    }
}
