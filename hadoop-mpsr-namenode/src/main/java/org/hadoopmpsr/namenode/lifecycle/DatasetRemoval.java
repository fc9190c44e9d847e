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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.DropRecord;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;

/**
 * Turns datasets back into ordinary directories. The other groups' files stay readable for a while, for readers with
 * earlier plans.
 */
public final class DatasetRemoval {
    private static final Logger LOG = PrintableLog.of(DatasetRemoval.class);

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final DatasetLocks locks;
    private final Deletion deletion;
    private final int delaySeconds;
    private final KeptFiles keptFiles;

    public DatasetRemoval(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            DatasetLocks locks,
            Deletion deletion,
            int delaySeconds) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.locks = locks;
        this.deletion = deletion;
        this.delaySeconds = delaySeconds;
        this.keptFiles = new KeptFiles(system, namespace);
    }

    /**
     * Drops a dataset. The default group's files stay in place, with the cluster's replication. Staged files are
     * deleted, and the other representations later. Works whether MPSR is ready or not. A client's repeated call
     * succeeds as the first.
     *
     * @param now true to delete the other representations as soon as the files that stay have all their copies
     */
    public DropResult drop(String path, boolean now) throws IOException {
        system.checkWritable();
        system.checkSuperuser("mpsrDropDataset", path);
        return system.repeatedCalls()
                .once(() -> end(path, now || delaySeconds == 0), () -> result(path, replicate(path)));
    }

    private DropResult end(String path, boolean now) throws IOException {
        DatasetRecord dataset = datasets.at(path).orElseThrow(() -> datasets.missing(path));
        // before it ends, so that a crash never leaves files with the few replicas of a group as an ordinary directory
        long kept = replicate(path);
        locks.alone(dataset, () -> {
            DropRecord drop = drop(dataset, now);
            String store = layout.datasetDir(dataset.id());
            system.write("mpsrDropDataset", edits -> {
                edits.setXAttr(store, Attributes.DROPPED, drop.encode());
                edits.removeXAttrByCall(dataset.path(), Attributes.DATASET); // from here on it is dropped
                datasets.remove(dataset, drop);
                return true;
            });
            // after a crash they go with the rest of the store
            for (String part :
                    List.of(StoreLayout.STAGING, StoreLayout.PUBLISHING, StoreLayout.OFFSETS, StoreLayout.SEGMENTS)) {
                deletion.all("mpsrDropDataset", store + "/" + part);
            }
            return true;
        });
        long stay = replicate(path); // what was set back before it ended
        deleteDue();
        DropResult result = result(path, stay);
        DropStatus rest = result.rest();
        if (rest != null) {
            LOG.info(
                    "MPSR: {} is no dataset any more; {} files in {} can be read until {} and until HDFS has made the"
                            + " copies of what stays",
                    path,
                    rest.drop().files(),
                    rest.drop().storeDir(),
                    Instant.ofEpochMilli(rest.deletedAtMs()));
        }
        return result;
    }

    /** The record of a drop, with the number and the bytes of the files in the store. */
    private DropRecord drop(DatasetRecord dataset, boolean now) throws IOException {
        long[] files = new long[1];
        long[] bytes = new long[1];
        for (String group : dataset.groups().names()) {
            if (!group.equals(dataset.defaultGroup())) {
                namespace.walk(dataset.root(layout, group), (path, file) -> {
                    files[0]++;
                    bytes[0] += file.computeFileSize() * file.getFileReplication();
                    return true;
                });
            }
        }
        return new DropRecord(
                layout.datasetDir(dataset.id()),
                dataset.path(),
                system.clock().now(),
                now || files[0] == 0,
                files[0],
                bytes[0]);
    }

    /** @param kept the number of files that stay */
    private DropResult result(String path, long kept) {
        return new DropResult(
                kept,
                datasets.dropped().stream()
                        .filter(d -> d.path().equals(path))
                        .max(Comparator.comparingLong(DropRecord::timeMs))
                        .map(this::status)
                        .orElse(null));
    }

    /** All dropped datasets whose other representations are still there. */
    public List<DropStatus> dropped() {
        return datasets.dropped().stream().map(this::status).toList();
    }

    private DropStatus status(DropRecord drop) {
        return new DropStatus(drop, drop.deletedAtMs(delaySeconds), keptFiles.lacking(drop));
    }

    /** Deletes what was dropped long enough ago, where what stays has all its copies. */
    public synchronized void deleteDue() throws IOException {
        if (system.safeMode().isOn()) {
            return;
        }
        for (DropRecord dropped : datasets.dropped()) {
            if (dropped.deletedAtMs(delaySeconds) <= system.clock().now() && keptFiles.look(dropped)) {
                deletion.all("mpsrDeleteDropped", dropped.storeDir());
                datasets.load();
                keptFiles.forget(dropped);
                LOG.info(
                        "MPSR: deleted {}, which was of {} until that was dropped", dropped.storeDir(), dropped.path());
            }
        }
    }

    /** Gives all files the cluster's replication. Returns the number of files. */
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
        LockSteps.write(system, "mpsrDropDataset", changed, (edits, part) -> {
            for (String file : part) {
                if (namespace.find(file) != null) {
                    edits.setReplication(file, replication);
                }
            }
        });
        return files[0];
    }
}
