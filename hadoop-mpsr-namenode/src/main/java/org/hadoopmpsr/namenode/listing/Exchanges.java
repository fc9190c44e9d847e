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
package org.hadoopmpsr.namenode.listing;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/**
 * Tells which directories of datasets rewrites have changed of late. A rewrite exchanges the files of such a directory at once.
 * Whoever lists it in pages would see the replaced files of one page and the new files of the next, and some records twice or
 * not at all. Thread-safe.
 */
public final class Exchanges {
    private static final int LEAST_RECENT_SECONDS = 600;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final long recentMs;

    /** @param recentSeconds for so long a listing may go on that has begun before a rewrite */
    public Exchanges(
            MpsrNamesystem system, Namespace namespace, StoreLayout layout, Datasets datasets, int recentSeconds) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.recentMs = TimeUnit.SECONDS.toMillis(Math.max(LEAST_RECENT_SECONDS, recentSeconds));
    }

    /**
     * How many files of a directory each rewrite has replaced lately that are not deleted yet, by change. As long as this stays the
     * same, no rewrite exchanges files of the directory.
     *
     * @param directory absolute, without {@code /.reserved}
     * @return empty if it is no directory of a dataset
     */
    public Optional<Map<String, Integer>> in(String directory) throws IOException {
        Optional<DatasetRecord> dataset = datasetOf(directory);
        return dataset.isEmpty() ? Optional.empty() : Optional.of(system.read(() -> in(dataset.get(), directory)));
    }

    /**
     * Whether a listing of a directory that has come to this name may have begun before a rewrite exchanged files there.
     *
     * @param name of the last entry that was listed
     */
    public boolean mayHaveBegunBefore(String directory, String name) throws IOException {
        Optional<DatasetRecord> dataset = datasetOf(directory);
        return dataset.isPresent()
                && system.read(() -> {
                    INode last = namespace.find(directory + "/" + name);
                    var header = last == null || !last.isFile() ? null : StoredStatistics.header(last.asFile());
                    return in(dataset.get(), directory).keySet().stream()
                            .anyMatch(change -> header == null
                                    || !KeptSegment.changeOf(header.commitId()).equals(change));
                });
    }

    /** Whether a path is a directory of a dataset with more than so many entries. */
    public boolean hasMoreThan(int entries, String path) throws IOException {
        return datasetOf(path).isPresent() && system.read(() -> namespace.countEntries(path)) > entries;
    }

    private Optional<DatasetRecord> datasetOf(String path) {
        return datasets.at(path).or(() -> datasets.above(path));
    }

    private Map<String, Integer> in(DatasetRecord dataset, String directory) throws IOException {
        String relative =
                dataset.defaultGroup() + directory.substring(dataset.path().length());
        Map<String, Integer> files = new TreeMap<>();
        long now = system.clock().now();
        for (INode change : namespace.children(layout.replacedDir(dataset.id()))) {
            if (newest(change) + recentMs < now) {
                continue; // kept for readers of earlier states
            }
            int count = (int) namespace.children(change.getFullPathName() + "/" + relative).stream()
                    .filter(INode::isFile)
                    .count();
            if (count > 0) {
                files.put(change.getLocalName(), count);
            }
        }
        return files;
    }

    /** When something was put into a directory or one of its directories last. */
    private static long newest(INode directory) {
        long newest = directory.getModificationTime();
        for (INode child : Namespace.children(directory)) {
            newest = Math.max(newest, child.getModificationTime());
        }
        return newest;
    }
}
