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
package org.hadoopmpsr.namenode.untracked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.hadoopmpsr.namenode.writer.Admission;

/** Tells which files of a dataset nobody has published, and keeps why some of them cannot be. Thread-safe. */
public final class UntrackedFiles {
    /** So many are told at once. */
    private static final int MOST = 10_000;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final Admission admission;
    private final Indexes indexes;
    private final Verification verification;
    private final DatasetLocks locks;

    public UntrackedFiles(
            MpsrNamesystem system,
            Namespace namespace,
            Datasets datasets,
            DatasetReaders readers,
            Admission admission,
            Indexes indexes,
            Verification verification,
            DatasetLocks locks) {
        this.system = system;
        this.namespace = namespace;
        this.datasets = datasets;
        this.readers = readers;
        this.admission = admission;
        this.indexes = indexes;
        this.verification = verification;
        this.locks = locks;
    }

    /**
     * Some files.
     *
     * @param more true if there may be more of them
     */
    public record Found(String datasetId, List<UntrackedFile> files, boolean more) {}

    /** Why a file cannot be adopted in a state. */
    public record Finding(long fileId, long state, String reason) {}

    /** Those of the dataset at a path that the caller may read, for a caller who may read what is published of it. */
    public Found at(String path) throws IOException {
        system.checkActive();
        DatasetRecord dataset = datasets.require("mpsrGetUntracked", path, FsAction.READ_EXECUTE);
        readers.check("mpsrGetUntracked", dataset);
        Found all = of(dataset);
        List<String> paths = all.files().stream().map(UntrackedFile::path).toList();
        Set<String> told = system.accessible("mpsrGetUntracked", paths, FsAction.READ);
        List<UntrackedFile> files =
                all.files().stream().filter(f -> told.contains(f.path())).toList();
        return new Found(all.datasetId(), files, all.more());
    }

    /**
     * Those of a dataset; files that are open are left out. Files that cannot be adopted never hide others: of both kinds there are as
     * many as are told at most. Takes the read lock in short holds.
     */
    public Found of(DatasetRecord dataset) throws IOException {
        Iterator<String> paths = locks.look(dataset, () -> verification.unpublished(dataset, indexes.of(dataset)))
                .iterator();
        List<UntrackedFile> fit = new ArrayList<>();
        List<UntrackedFile> unfit = new ArrayList<>();
        while (paths.hasNext() && fit.size() < MOST) {
            List<String> some = new ArrayList<>();
            while (paths.hasNext() && some.size() < LockSteps.SIZE) {
                some.add(paths.next());
            }
            List<UntrackedFile> found = new ArrayList<>();
            LockSteps.read(system, some, step -> {
                for (String file : step) {
                    add(found, file);
                }
            });
            found.forEach(file -> (file.unfit() == null ? fit : unfit).add(file));
        }
        boolean more = paths.hasNext() || unfit.size() > MOST;
        fit.addAll(unfit.subList(0, Math.min(MOST, unfit.size())));
        fit.sort(Comparator.comparing(UntrackedFile::path));
        return new Found(dataset.id(), fit, more);
    }

    private void add(List<UntrackedFile> files, String path) throws IOException {
        INode inode = namespace.find(path);
        if (inode == null || !inode.isFile()) {
            return;
        }
        INodeFile file = inode.asFile();
        if (!file.isUnderConstruction() && !StoredStatistics.isUnchanged(file)) {
            files.add(new UntrackedFile(
                    path,
                    file.getId(),
                    file.computeFileSize(),
                    file.getModificationTime(),
                    system.clock().now() - file.getModificationTime(),
                    StoredStatistics.stateOf(file),
                    NodeRights.of(file).hashCode(),
                    Unfit.of(file)));
        }
    }

    /**
     * Keeps why files cannot be adopted as they are. Files that are published or have changed meanwhile are left out. For the owner of
     * the dataset directory, and superusers.
     */
    public void keep(String path, List<Finding> findings) throws IOException {
        DatasetRecord dataset = admission.writable("mpsrSetUnfit", path);
        admission.checkOwner(dataset);
        LockSteps.write(system, "mpsrSetUnfit", findings, (edits, some) -> {
            String root = namespace.pathOf(dataset.inodeId());
            for (Finding finding : some) {
                INode inode = system.directory().getInode(finding.fileId());
                if (root != null && inode != null && inode.isFile()) {
                    INodeFile file = inode.asFile();
                    String found = file.getFullPathName();
                    if (found.startsWith(root + "/")
                            && !StoredStatistics.isUnchanged(file)
                            && StoredStatistics.stateOf(file) == finding.state()) {
                        edits.setXAttr(found, Attributes.UNFIT, Unfit.encode(finding.state(), finding.reason()));
                    }
                }
            }
        });
    }
}
