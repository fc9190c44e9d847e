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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * Compares an index with the namespace, so that no query reads what no longer holds: files that came without a commit,
 * vanished or changed. Costs a look at every file of the dataset, with the read lock in short holds. Thread-safe.
 */
final class Verification {
    private final Namespace namespace;
    private final StoreLayout layout;

    Verification(Namespace namespace, StoreLayout layout) {
        this.namespace = namespace;
        this.layout = layout;
    }

    /**
     * Finds what keeps each representation from being read.
     *
     * @return the reason by group; groups that can be read are missing
     */
    Map<String, String> problems(DatasetRecord dataset, DatasetIndex index) throws IOException {
        Map<String, String> problems = new HashMap<>();
        GroupIndex truth = index.group(dataset.defaultGroup());
        for (String group : dataset.groups().names()) {
            GroupIndex indexed = index.group(group);
            String problem = compare(dataset.root(layout, group), indexed);
            if (problem == null && !indexed.commits().equals(truth.commits())) {
                problem = "diverged: it does not hold the same commits and records as the default group";
            }
            if (problem != null) {
                problems.put(group, problem);
            }
        }
        return problems;
    }

    private @Nullable String compare(String root, GroupIndex indexed) throws IOException {
        String[] problem = new String[1];
        int[] seen = new int[1];
        namespace.walk(root, (path, file) -> {
            DataFile published = indexed.byId().get(file.getId());
            if (published == null) {
                problem[0] = "diverged: " + path + " came without a commit";
            } else if (!StoredStatistics.unchanged(published, path, file)) {
                problem[0] = "diverged: " + path + " was changed after it was published";
            }
            seen[0]++;
            return problem[0] == null;
        });
        if (problem[0] == null && seen[0] != indexed.files().size()) {
            return "diverged: " + (indexed.files().size() - seen[0]) + " published file(s) below " + root
                    + " have vanished";
        }
        return problem[0];
    }
}
