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
package org.hadoopmpsr.namenode.commit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a change in which new files come in the place of others. Readers without MPSR list one directory after the
 * other: each directory of the default group changes in one hold of the lock.
 */
abstract class ExchangeCompletion extends Completion {
    private static final FsPermission IN_STORE = FsPermission.createImmutable((short) 0600);
    /** The edits of HDFS for one file that is given other rights, or for one record. */
    static final int FEW = 2;

    private final String replaced;
    /** The files that are to be moved out, by group, and by the path of their directory below the group's. */
    private final Map<String, Map<String, List<GroupFile>>> out = new HashMap<>();
    /** The files of the default group that were moved out by an earlier object. */
    private final List<String> gone = new ArrayList<>();

    ExchangeCompletion(Shared parts, DatasetRecord dataset, String changeId) {
        super(parts, dataset, changeId);
        this.replaced = parts.layout().replacedDir(dataset.id(), changeId);
    }

    /** Adds a file that is to be moved out. */
    void remove(String group, GroupFile file) {
        String root = dataset.root(parts.layout(), group);
        out.computeIfAbsent(group, g -> new TreeMap<>())
                .computeIfAbsent(below(file.directory(), root), d -> new ArrayList<>())
                .add(file);
    }

    private static String below(String directory, String root) {
        return directory.length() == root.length() ? "" : directory.substring(root.length() + 1);
    }

    /** What the change exchanges. */
    interface Exchange {
        /** True if a group is concerned. */
        boolean concerns(String group);

        /**
         * True if a file that lies in a group is to be moved out.
         *
         * @param header of the file, or null if it has none that can be read
         */
        boolean removes(String group, INodeFile file, @Nullable Header header);

        /** A file that the change has moved out already. */
        void isOut(String group, @Nullable Header header);
    }

    /** What the change exchanges, for {@link #find}. Called once. */
    abstract Exchange exchange(CommitRecord change);

    @Override
    void find() throws IOException {
        super.find();
        Exchange exchange = exchange(
                parts.system().read(() -> CommitRecord.on(parts.namespace().require(from))));
        for (String group : dataset.groups().names()) {
            if (exchange.concerns(group)) {
                find(group, exchange);
            }
        }
    }

    private void find(String group, Exchange exchange) throws IOException {
        Map<String, String> directories = new HashMap<>();
        parts.namespace().walk(dataset.root(parts.layout(), group), (path, file) -> {
            if (exchange.removes(group, file, StoredStatistics.header(file))) {
                String directory = directories.computeIfAbsent(PathNames.parent(path), same -> same);
                remove(group, GroupFile.of(directory, file));
            }
            return true;
        });
        parts.namespace().walk(replaced + "/" + group, (path, file) -> {
            exchange.isOut(group, StoredStatistics.header(file));
            if (group.equals(dataset.defaultGroup())) {
                gone.add(path);
            }
            return true;
        });
    }

    /** Adds the work after the files are exchanged. Needs the read lock. */
    abstract void planRecords(Collection<Part> all, CommitRecord change) throws IOException;

    @Override
    void plan(Collection<Part> all, CommitRecord change) throws IOException {
        for (String group : dataset.groups().names()) {
            for (String directory : out.getOrDefault(group, Map.of()).keySet()) {
                all.add(new Part(FEW, edits -> {
                    edits.mkdirs(target(group, directory), NamespaceEdits.Access.own());
                    return true;
                }));
            }
        }
        for (String group : dataset.groups().names()) {
            addExchanges(all, group);
        }
        all.add(new Part(0, edits -> throwFailure()));
        String group = dataset.defaultGroup();
        out.getOrDefault(group, Map.of())
                .forEach((directory, files) -> files.forEach(file -> addProtection(
                        all, target(group, directory) + "/" + file.file().getLocalName())));
        gone.forEach(path -> addProtection(all, path));
        planRecords(all, change);
    }

    private String target(String group, String directory) {
        return replaced + "/" + group + (directory.isEmpty() ? "" : "/" + directory);
    }

    private void addExchanges(Collection<Part> all, String group) {
        Map<String, List<GroupFile>> leaving = out.getOrDefault(group, Map.of());
        Map<String, List<INodeFile>> coming = newFiles(group);
        Set<String> directories = new TreeSet<>(leaving.keySet());
        directories.addAll(coming.keySet());
        for (String directory : directories) {
            List<GroupFile> old = leaving.getOrDefault(directory, List.of());
            List<INodeFile> fresh = coming.getOrDefault(directory, List.of());
            if (group.equals(dataset.defaultGroup())) {
                all.add(new Part(old.size() + fresh.size(), edits -> exchange(edits, group, directory, old, fresh)));
            } else { // nobody lists them
                LockSteps.parts(old, PublishHolds.STEP)
                        .forEach(some -> all.add(
                                new Part(some.size(), edits -> exchange(edits, group, directory, some, List.of()))));
                LockSteps.parts(fresh, PublishHolds.STEP)
                        .forEach(some -> all.add(
                                new Part(some.size(), edits -> exchange(edits, group, directory, List.of(), some))));
            }
        }
    }

    private boolean exchange(
            NamespaceEdits edits, String group, String directory, List<GroupFile> old, List<INodeFile> fresh) {
        old.forEach(file -> moveOut(edits, group, directory, file));
        if (!hasFailed()) { // or the records would be there twice
            move(edits, group, directory, fresh);
        }
        return true;
    }

    private void moveOut(NamespaceEdits edits, String group, String directory, GroupFile file) {
        String name = file.file().getLocalName();
        String root = root(group);
        String path = root + (directory.isEmpty() ? "" : "/" + directory) + "/" + name;
        try {
            INode found = root == null ? null : parts.namespace().find(path);
            if (found != null && found.getId() == file.file().getId()) { // else somebody has deleted it, or moved it
                edits.rename(path, target(group, directory) + "/" + name);
                removed(group, file);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    /** Gives a removed file of the default group the rights of files in the store. */
    private void addProtection(Collection<Part> all, String path) {
        all.add(new Part(FEW, edits -> {
            if (parts.namespace().find(path) != null) {
                edits.setAccess(path, new NamespaceEdits.Access(NamespaceEdits.self(), null, IN_STORE));
            }
            return true;
        }));
    }
}
