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
package org.hadoopmpsr.namenode.dataset;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.DropRecord;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/** Reads the records of one dataset from the dataset's directory in the store. */
final class StoreReader {
    private final Namespace namespace;

    StoreReader(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * The dataset of a directory in the store. Needs the read lock.
     *
     * @return null if there is none: the dataset directory is gone, or has no definition or another one
     * @throws UnreadableRecordException if one of its records cannot be read
     */
    @Nullable
    DatasetRecord dataset(INode store) throws IOException {
        byte[] home = Attributes.get(store, Attributes.HOME);
        if (home == null) {
            return null;
        }
        long inodeId = StoredRecords.home(home, store.getFullPathName());
        String path = namespace.pathOf(inodeId);
        byte[] definition = path == null ? null : Attributes.get(namespace.require(path), Attributes.DATASET);
        if (path == null || definition == null) {
            return null;
        }
        DatasetProto proto = StoredRecords.dataset(definition, path);
        if (!proto.getId().equals(store.getLocalName())) {
            return null;
        }
        checkContent(Attributes.get(store, Attributes.COMMITTED), store.getFullPathName());
        try {
            return DatasetRecord.of(path, inodeId, proto);
        } catch (IllegalArgumentException e) {
            throw StoredRecords.unreadable("dataset definition", path, String.valueOf(e.getMessage()), e);
        }
    }

    /** The records on a commit's directory. */
    private record Pending(String path, byte @Nullable [] content, byte @Nullable [] commit) {

        /** Needs the read lock. */
        static Pending of(INode directory) {
            return new Pending(
                    directory.getFullPathName(),
                    Attributes.get(directory, Attributes.COMMITTED),
                    Attributes.get(directory, Attributes.COMMIT));
        }
    }

    /**
     * Checks offsets and pending commits: one that is not understood must neither be completed nor be ignored. Takes the
     * read lock in short holds.
     *
     * @param path the directory of a dataset in the store
     * @throws UnreadableRecordException if one of them cannot be read
     */
    void checkCommits(String path) throws IOException {
        String offsets = path + "/" + StoreLayout.OFFSETS;
        for (String offset : namespace.entries(offsets, INode::getLocalName)) {
            StoredRecords.offset(offset, offsets);
        }
        for (Pending pending : namespace.entries(path + "/" + StoreLayout.PUBLISHING, Pending::of)) {
            checkContent(pending.content, pending.path);
            if (pending.commit != null) {
                StoredRecords.commit(pending.commit, pending.path);
            }
        }
    }

    private static void checkContent(byte @Nullable [] content, String path) throws IOException {
        if (content != null) {
            StoredRecords.committed(content, path);
        }
    }

    /**
     * The rest of a dropped dataset in its directory in the store. Needs the read lock.
     *
     * @return null if the dataset was not dropped
     * @throws UnreadableRecordException if the record cannot be read
     */
    static @Nullable DropRecord dropped(INode store) throws IOException {
        byte[] drop = Attributes.get(store, Attributes.DROPPED);
        return drop == null ? null : DropRecord.decode(store.getFullPathName(), drop);
    }

    /** The dataset directory that a directory in the store names; the latter if there is no dataset. Needs the read lock. */
    String path(INode store) throws IOException {
        byte[] home = Attributes.get(store, Attributes.HOME);
        try {
            String path = home == null ? null : namespace.pathOf(StoredRecords.home(home, store.getFullPathName()));
            boolean dataset = path != null && Attributes.get(namespace.require(path), Attributes.DATASET) != null;
            return path != null && dataset ? path : store.getFullPathName();
        } catch (UnreadableRecordException e) {
            return store.getFullPathName();
        }
    }
}
