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
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.proto.MpsrProtos.LeftProto;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps a dataset whose directory a job deletes and makes anew. So does Spark without MPSR when it overwrites all of a directory: it deletes the
 * directory, and makes a hidden one below it for its tasks, as the first thing that is there again. When the owner of a dataset directory
 * does both within {@link #MOST_MS}, the new directory is that of the dataset. Of the dataset's records nothing is in the default group then,
 * which is what readers find. Thread-safe.
 */
public final class RemadeDirectories {
    /** For so many milliseconds after a deletion, a new directory can be that of the dataset. */
    public static final long MOST_MS = 600_000;

    private static final Logger LOG = PrintableLog.of(RemadeDirectories.class);
    private static final String CALL = "mpsrRemakeDataset";

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final DatasetLocks locks;
    private final Indexes indexes;
    /** The deleted dataset directories, with the ids of their datasets. */
    private volatile Map<String, String> left = Map.of();
    /** The directories of the store whose records {@link #left} is made of. */
    private volatile List<String> known = List.of();

    public RemadeDirectories(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Datasets datasets,
            DatasetLocks locks,
            Indexes indexes) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.locks = locks;
        this.indexes = indexes;
    }

    /**
     * Must be called before a call of a client.
     *
     * @return what must be run after the call, before the caller gets the answer
     */
    public Runnable before(Message call) {
        if (call instanceof MkdirsRequestProto made) {
            return () -> made(made.getSrc());
        }
        DatasetRecord dataset = call instanceof DeleteRequestProto delete
                ? datasets.at(delete.getSrc()).orElse(null)
                : null;
        return dataset != null && isOwn(dataset) ? () -> deleted(dataset) : () -> {};
    }

    /** Whether the caller owns the directory: nobody else may take the place of an owner, who sees what is left in the store. */
    private boolean isOwn(DatasetRecord dataset) {
        try {
            String owner = system.read(() -> {
                INode directory = namespace.find(dataset.path());
                return directory == null ? "" : directory.getUserName();
            });
            return owner.equals(system.caller());
        } catch (IOException e) {
            LOG.warn("MPSR cannot tell who owns {}", dataset.path(), e);
            return false;
        }
    }

    private void deleted(DatasetRecord dataset) {
        try {
            if (keep(dataset)) {
                change(all -> all.put(dataset.path(), dataset.id()));
            }
        } catch (IOException e) {
            LOG.warn(
                    "MPSR cannot keep the definition of the dataset whose directory {} was deleted", dataset.path(), e);
        }
    }

    private synchronized void change(Consumer<Map<String, String>> change) {
        Map<String, String> all = new HashMap<>(left);
        change.accept(all);
        left = Map.copyOf(all);
    }

    private boolean keep(DatasetRecord dataset) throws IOException {
        String store = layout.datasetDir(dataset.id());
        return system.write(CALL, edits -> {
            INode directory = namespace.find(store);
            if (directory == null || namespace.pathOf(dataset.inodeId()) != null) {
                return false;
            }
            LeftProto record = LeftProto.newBuilder()
                    .setPath(dataset.path())
                    .setTime(system.clock().now())
                    .setUser(system.caller())
                    .setDefinition(dataset.definition())
                    .build();
            edits.setXAttr(store, Attributes.LEFT, record.toByteArray());
            return true;
        });
    }

    private void made(String path) {
        if (left.isEmpty() && datasets.orphans().isEmpty()) {
            return; // as ever, but after the deletion of a dataset directory
        }
        try {
            String parent = aboveHidden(system.resolve(path, 0));
            String id = parent == null ? null : of(parent);
            if (parent != null && id != null) {
                remake(parent, id);
            }
        } catch (IOException e) {
            LOG.warn("MPSR cannot tell whether {} lies in a dataset directory that was made anew", path, e);
        }
    }

    /** The directory that has the first hidden directory of a path; null if none is hidden. */
    private static @Nullable String aboveHidden(String path) {
        for (int start = 1, end = 0; end < path.length(); start = end + 1) {
            int slash = path.indexOf('/', start);
            end = slash < 0 ? path.length() : slash;
            if (PathNames.isHidden(path.substring(start, end))) {
                return path.substring(0, start - 1);
            }
        }
        return null;
    }

    /** The id of the dataset whose directory a path was; null if it was none. */
    private @Nullable String of(String path) throws IOException {
        List<String> orphans = datasets.orphans();
        if (!orphans.equals(known)) {
            Map<String, String> found = system.read(() -> {
                Map<String, String> all = new HashMap<>();
                for (String store : orphans) {
                    record(store).ifPresent(record -> all.put(record.getPath(), PathNames.name(store)));
                }
                return all;
            });
            change(all -> found.forEach(all::putIfAbsent));
            known = orphans;
        }
        return left.get(path);
    }

    private Optional<LeftProto> record(String store) throws IOException {
        INode directory = namespace.find(store);
        byte[] record = directory == null ? null : Attributes.get(directory, Attributes.LEFT);
        return record == null ? Optional.empty() : Optional.of(StoredRecords.left(record, store));
    }

    private void remake(String path, String id) throws IOException {
        String store = layout.datasetDir(id);
        boolean remade = system.write(CALL, edits -> remake(edits, path, store));
        change(all -> all.remove(path));
        if (remade) {
            datasets.load();
            DatasetRecord dataset = datasets.withId(id).orElse(null);
            if (dataset != null) {
                locks.alone(dataset, () -> {
                    indexes.forget(id);
                    return true;
                });
            }
            LOG.info("MPSR: {} was deleted and made anew, and is the directory of dataset {} again", path, id);
        }
    }

    private boolean remake(NamespaceEdits edits, String path, String store) throws IOException {
        LeftProto record = record(store).orElse(null);
        INode directory = namespace.find(path);
        if (record == null
                || directory == null
                || !directory.isDirectory()
                || Attributes.get(directory, Attributes.DATASET) != null
                || !record.getPath().equals(path)
                || !record.getUser().equals(system.caller())
                || system.clock().now() - record.getTime() > MOST_MS
                || !isHomeless(store, directory)) {
            return false;
        }
        edits.setXAttr(store, Attributes.HOME, Long.toString(directory.getId()).getBytes(StandardCharsets.UTF_8));
        edits.setXAttr(path, Attributes.DATASET, record.getDefinition().toByteArray());
        edits.removeXAttr(store, Attributes.LEFT);
        return true;
    }

    /** Whether no directory is the home, or this one is, since the NameNode was cut off in between. */
    private boolean isHomeless(String store, INode directory) throws IOException {
        byte[] home = Attributes.get(namespace.require(store), Attributes.HOME);
        if (home == null) {
            return false;
        }
        long inode = StoredRecords.home(home, store);
        return inode == directory.getId() || namespace.pathOf(inode) == null;
    }
}
