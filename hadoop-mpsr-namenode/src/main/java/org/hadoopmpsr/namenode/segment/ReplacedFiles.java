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
package org.hadoopmpsr.namenode.segment;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Namespace;

/**
 * Finds files that a rewrite has replaced by the path that they had. Readers that planned or listed before the rewrite read
 * them until they are deleted. Thread-safe.
 */
public final class ReplacedFiles {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;

    public ReplacedFiles(MpsrNamesystem system, Namespace namespace, StoreLayout layout, Datasets datasets) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
    }

    /** Where a file is now that lay at a path where nothing is any more; empty if it was not replaced, or is deleted. */
    public Optional<String> of(String path) throws IOException {
        Optional<DatasetRecord> dataset = layout.datasetOf(path).flatMap(datasets::withId);
        String inDataset = dataset.map(d -> inStore(d, path)).orElse("");
        if (dataset.isEmpty()) {
            dataset = datasets.above(path);
            inDataset = dataset.map(
                            d -> d.defaultGroup() + path.substring(d.path().length()))
                    .orElse("");
        }
        if (dataset.isEmpty() || inDataset.isEmpty()) {
            return Optional.empty();
        }
        DatasetRecord its = dataset.get();
        String relative = inDataset;
        return system.read(() -> find(path, its, relative));
    }

    /**
     * True if who asks for the path that a replaced file had gets this file: no other file lies there now, and no other change has
     * replaced one of this path. Needs the read lock.
     *
     * @param path the path that the file had
     * @param relative the group, the directory in it, and the name
     */
    public boolean gives(DatasetRecord dataset, String path, String relative, INode file) throws IOException {
        Optional<String> given = find(path, dataset, relative);
        INode found = given.isEmpty() ? null : namespace.find(given.get());
        return found != null && found.getId() == file.getId();
    }

    private Optional<String> find(String path, DatasetRecord dataset, String relative) throws IOException {
        if (namespace.find(path) != null) {
            return Optional.empty();
        }
        for (INode change : namespace.children(layout.replacedDir(dataset.id()))) {
            if (change.getLocalName().startsWith(Retention.DELETED)) {
                continue; // is deleted
            }
            String candidate = change.getFullPathName() + "/" + relative;
            INode file = namespace.find(candidate);
            if (file != null && file.isFile()) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** The group's name and the rest of a path in a dataset's store; empty for a path that is of no representation. */
    private String inStore(DatasetRecord dataset, String path) {
        String prefix = layout.datasetDir(dataset.id()) + "/";
        String rest = path.startsWith(prefix) ? path.substring(prefix.length()) : "";
        // also of a representation that was dropped
        return layout.representationOf(path)
                        .filter(name -> rest.startsWith(name + "/"))
                        .isPresent()
                ? rest
                : "";
    }
}
