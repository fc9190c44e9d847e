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
package org.hadoopmpsr.client;

import java.io.IOException;
import org.hadoopmpsr.client.proto.MpsrProtos.AlterDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MovedColumnProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RenamedColumnProto;
import org.hadoopmpsr.client.wire.WantedGroupWire;
import org.hadoopmpsr.core.group.WantedGroup;
import org.jspecify.annotations.Nullable;

/**
 * Alters datasets: their groups, their columns, and whether files are adopted. A group that is added is not complete at first: the maintenance service, or {@code hdfs mpsr
 * rebuild}, writes the records of the dataset in it, and then the NameNode completes it. Each call needs a superuser, and returns
 * the dataset afterwards. A wish that makes no sense is refused with the cause. Thread-safe.
 */
public final class DatasetAlterations {
    private final MpsrProtocol protocol;

    DatasetAlterations(MpsrProtocol protocol) {
        this.protocol = protocol;
    }

    /**
     * Adds a representation in a replica group in which the dataset has none.
     *
     * @param datasetId the id of the dataset that the caller knows; another one is refused. Null for any
     */
    public Dataset add(String path, @Nullable String datasetId, WantedGroup wanted) throws IOException {
        return call(request(path, datasetId).setAdd(WantedGroupWire.proto(wanted)));
    }

    /** Adds a representation that takes the place of the one that the dataset has in the replica group; as {@link #add}. */
    public Dataset set(String path, @Nullable String datasetId, WantedGroup wanted) throws IOException {
        return call(request(path, datasetId).setSet(WantedGroupWire.proto(wanted)));
    }

    /** Drops a representation, named as itself or as the replica group in which the dataset has only this one; as {@link #add}. */
    public Dataset drop(String path, @Nullable String datasetId, String name) throws IOException {
        return call(request(path, datasetId).setDrop(name));
    }

    /** Drops all representations that are not complete; no effect if all are; as {@link #add}. */
    public Dataset cancel(String path, @Nullable String datasetId) throws IOException {
        return call(request(path, datasetId).setCancel(true));
    }

    /**
     * Adds a column after the others. It is null in the records that are there; as {@link #add}.
     *
     * @param column its name and type, such as {@code pressure double}
     */
    public Dataset addColumn(String path, @Nullable String datasetId, String column) throws IOException {
        return call(request(path, datasetId).setAddColumn(column));
    }

    /**
     * Gives a column a type that holds more values; as {@link #add}.
     *
     * @param column its name and new type, such as {@code quality bigint}
     */
    public Dataset widenColumn(String path, @Nullable String datasetId, String column) throws IOException {
        return call(request(path, datasetId).setWidenColumn(column));
    }

    /** Shows a column under another name. Files keep the name that they have for the column; as {@link #add}. */
    public Dataset renameColumn(String path, @Nullable String datasetId, String name, String to) throws IOException {
        return call(request(path, datasetId)
                .setRenameColumn(RenamedColumnProto.newBuilder().setName(name).setTo(to)));
    }

    /** Shows a column no more. Files keep what they have of it; as {@link #add}. */
    public Dataset dropColumn(String path, @Nullable String datasetId, String name) throws IOException {
        return call(request(path, datasetId).setDropColumn(name));
    }

    /**
     * Shows a column at another place; as {@link #add}.
     *
     * @param after the column before it; null for the first place
     */
    public Dataset moveColumn(String path, @Nullable String datasetId, String name, @Nullable String after)
            throws IOException {
        MovedColumnProto.Builder moved = MovedColumnProto.newBuilder().setName(name);
        if (after != null) {
            moved.setAfter(after);
        }
        return call(request(path, datasetId).setMoveColumn(moved));
    }

    /** Lets nobody adopt files of ordinary writers any more, or lets it go on; a change that is under way ends first; as {@link #add}. */
    public Dataset pauseAdoption(String path, @Nullable String datasetId, boolean paused) throws IOException {
        return call(request(path, datasetId).setPauseAdoption(paused));
    }

    private Dataset call(AlterDatasetRequestProto.Builder request) throws IOException {
        return Dataset.of(protocol.alterDataset(request.build()));
    }

    private static AlterDatasetRequestProto.Builder request(String path, @Nullable String datasetId) {
        AlterDatasetRequestProto.Builder request =
                AlterDatasetRequestProto.newBuilder().setPath(path);
        return datasetId == null ? request : request.setDatasetId(datasetId);
    }
}
