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

import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DropDatasetResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DroppedProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RepresentationProto;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.namenode.lifecycle.DatasetInfo;
import org.hadoopmpsr.namenode.lifecycle.DatasetInfos;
import org.hadoopmpsr.namenode.lifecycle.DropResult;
import org.hadoopmpsr.namenode.lifecycle.DropStatus;
import org.hadoopmpsr.namenode.store.DropRecord;

/** Translates descriptions of datasets to messages. */
final class DatasetMessages {

    private DatasetMessages() {}

    static void add(ListDatasetsResponseProto.Builder list, DatasetInfos.Page page) {
        page.datasets().forEach(dataset -> list.addDataset(info(dataset)));
        if (page.next() != null) {
            list.setNext(page.next());
        }
    }

    static DatasetInfoProto info(DatasetInfo info) {
        DatasetInfoProto.Builder proto = DatasetInfoProto.newBuilder()
                .setPath(info.dataset().path())
                .setDataset(info.dataset().definition());
        info.representations().forEach(r -> proto.addRepresentation(representation(r)));
        info.offsets().forEach(o -> proto.addOffset(Wire.offset(o)));
        info.jumps().forEach(j -> proto.addJump(Wire.jump(j)));
        proto.setStoreNames(info.storeNames()).setStoreSpace(info.storeSpace());
        proto.setSegments(info.segments())
                .setReplacedFiles(info.replaced().files())
                .setReplacedBytes(info.replaced().bytes());
        info.maintenance().forEach(run -> proto.addMaintenance(MaintenanceWire.run(run)));
        if (info.sequence() > 0) {
            proto.setSequence(info.sequence());
        }
        if (info.untold() != null) {
            proto.setUntold(info.untold());
        }
        return proto.build();
    }

    static DropDatasetResponseProto drop(DropResult result) {
        DropDatasetResponseProto.Builder proto =
                DropDatasetResponseProto.newBuilder().setFilesKept(result.filesKept());
        return result.rest() == null
                ? proto.build()
                : proto.setDropped(dropped(result.rest())).build();
    }

    static DroppedProto dropped(DropStatus status) {
        DropRecord drop = status.drop();
        return DroppedProto.newBuilder()
                .setPath(drop.path())
                .setStoreDir(drop.storeDir())
                .setDeletedAt(status.deletedAtMs())
                .setFiles(drop.files())
                .setStoredBytes(drop.storedBytes())
                .setLackingFiles(status.lackingFiles())
                .build();
    }

    private static RepresentationProto representation(DatasetInfo.Representation representation) {
        List<ContentHashProto> contents = Wire.contents(representation.content());
        RepresentationProto.Builder proto = RepresentationProto.newBuilder()
                .setGroup(representation.group())
                .setRoot(representation.root())
                .setFiles(representation.files())
                .setBytes(representation.bytes())
                .setContent(contents.get(0))
                .addAllMoreContent(contents.subList(1, contents.size()));
        return representation.problem().isEmpty()
                ? proto.build()
                : proto.setUnusable(representation.problem()).build();
    }
}
