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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.layout.StoreLayout;

/** Turns datasets back into ordinary directories. */
final class DatasetRemoval {
    private static final int STEP = 1_000;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final Indexes indexes;
    private final Verification verification;
    private final DatasetLocks locks;

    DatasetRemoval(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            Indexes indexes,
            Verification verification,
            DatasetLocks locks) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.indexes = indexes;
        this.verification = verification;
        this.locks = locks;
    }

    /**
     * Ends a dataset: its default files stay where they are, with the cluster's replication; the other representations
     * and what is staged are deleted. Works whether MPSR is ready or not. A client's repeated call succeeds as the first.
     *
     * @return the number of files that stay
     */
    long drop(String path) throws IOException {
        system.checkWritable();
        system.checkSuperuser("mpsrDropDataset", path);
        return system.repeatedCalls().once(() -> end(path), () -> replicate(path));
    }

    private long end(String path) throws IOException {
        DatasetRecord dataset =
                datasets.at(path).orElseThrow(() -> new FileNotFoundException(path + " is not a dataset"));
        // before it ends, so that a crash never leaves files with the few replicas of a group as an ordinary directory
        replicate(path);
        locks.alone(
                dataset,
                () -> system.write("mpsrDropDataset", edits -> {
                    edits.removeXAttrByCall(dataset.path(), Attributes.DATASET);
                    edits.delete(layout.datasetDir(dataset.id()));
                    datasets.load();
                    indexes.forget(dataset.id());
                    verification.forget(dataset);
                    return true;
                }));
        return replicate(path);
    }

    /** Gives all files the cluster's replication; returns how many there are. */
    private long replicate(String path) throws IOException {
        int replication = system.blocks().defaultReplication;
        List<String> changed = new ArrayList<>();
        long[] files = new long[1];
        namespace.walk(path, (file, inode) -> {
            files[0]++;
            if (inode.getFileReplication() != replication) {
                changed.add(file);
            }
            return true;
        });
        for (int from = 0; from < changed.size(); from += STEP) {
            List<String> step = changed.subList(from, Math.min(from + STEP, changed.size()));
            system.write("mpsrDropDataset", edits -> {
                for (String file : step) {
                    if (namespace.find(file) != null) {
                        edits.setReplication(file, replication);
                    }
                }
                return true;
            });
        }
        return files[0];
    }
}
