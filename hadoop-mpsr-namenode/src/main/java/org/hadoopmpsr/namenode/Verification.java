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
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
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
        for (String group : dataset.groups().names()) {
            String problem = look(dataset, index, group, false).problem();
            if (!problem.isEmpty()) {
                problems.put(group, problem);
            }
        }
        return problems;
    }

    /**
     * What a representation holds that was not published.
     *
     * @param untrackedFiles files that came without a commit
     * @param problem the first thing that keeps it from being read; empty when it can be
     */
    record Look(long untrackedFiles, String problem) {}

    /** Compares one representation to its end, whatever is found. */
    Look look(DatasetRecord dataset, DatasetIndex index, String group) throws IOException {
        return look(dataset, index, group, true);
    }

    private Look look(DatasetRecord dataset, DatasetIndex index, String group, boolean toTheEnd) throws IOException {
        String root = dataset.root(layout, group);
        GroupIndex indexed = index.group(group);
        Comparison found = new Comparison(indexed);
        namespace.walk(root, (path, file) -> found.visit(path, file) || toTheEnd);
        if (found.problem == null && found.seen != indexed.files().size()) {
            found.problem = "diverged: " + (indexed.files().size() - found.seen) + " published file(s) below " + root
                    + " have vanished";
        }
        GroupIndex truth = index.group(dataset.defaultGroup());
        if (found.problem == null && !indexed.commits().equals(truth.commits())) {
            found.problem = "diverged: it does not hold the same commits and records as the default group";
        }
        return new Look(found.untracked, found.problem == null ? "" : found.problem);
    }

    private static final class Comparison {
        private final GroupIndex indexed;
        private @Nullable String problem;
        private long untracked;
        private int seen;

        Comparison(GroupIndex indexed) {
            this.indexed = indexed;
        }

        /** @return false when something is wrong */
        boolean visit(String path, INodeFile file) {
            seen++;
            DataFile published = indexed.byId().get(file.getId());
            String wrong = null;
            if (published == null) {
                untracked++;
                wrong = "diverged: " + path + " came without a commit";
            } else if (!StoredStatistics.unchanged(published, path, file)) {
                wrong = "diverged: " + path + " was changed after it was published";
            }
            problem = problem == null ? wrong : problem;
            return wrong == null;
        }
    }
}
