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

import java.io.IOException;
import org.hadoopmpsr.client.proto.MpsrProtos.AlterDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MovedColumnProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RenamedColumnProto;
import org.hadoopmpsr.client.wire.WantedGroupWire;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.lifecycle.AdoptionPause;
import org.hadoopmpsr.namenode.lifecycle.ColumnAlteration;
import org.hadoopmpsr.namenode.lifecycle.GroupAlteration;

/** Translates alterations of a dataset. */
final class AlterationMessages {

    private AlterationMessages() {}

    /** @throws IllegalArgumentException if the request makes no sense */
    static DatasetRecord alter(
            GroupAlteration alteration,
            ColumnAlteration columns,
            AdoptionPause adoption,
            AlterDatasetRequestProto request)
            throws IOException {
        String path = request.getPath();
        String expected = request.hasDatasetId() ? request.getDatasetId() : null;
        if (request.hasAdd()) {
            return alteration.add(path, expected, WantedGroupWire.wanted(request.getAdd()));
        }
        if (request.hasSet()) {
            return alteration.set(path, expected, WantedGroupWire.wanted(request.getSet()));
        }
        if (request.hasDrop()) {
            return alteration.drop(path, expected, request.getDrop());
        }
        if (request.getCancel()) {
            return alteration.cancel(path, expected);
        }
        if (request.hasAddColumn()) {
            return columns.add(path, expected, request.getAddColumn());
        }
        if (request.hasWidenColumn()) {
            return columns.widen(path, expected, request.getWidenColumn());
        }
        if (request.hasRenameColumn()) {
            RenamedColumnProto renamed = request.getRenameColumn();
            return columns.rename(path, expected, renamed.getName(), renamed.getTo());
        }
        if (request.hasDropColumn()) {
            return columns.drop(path, expected, request.getDropColumn());
        }
        if (request.hasMoveColumn()) {
            MovedColumnProto moved = request.getMoveColumn();
            return columns.move(path, expected, moved.getName(), moved.hasAfter() ? moved.getAfter() : null);
        }
        if (request.hasPauseAdoption()) {
            return adoption.pause(path, expected, request.getPauseAdoption());
        }
        throw new IllegalArgumentException("the request alters nothing of '" + path
                + "'; name a group to add, to set or to drop, or a column to add, widen, rename, drop or move");
    }
}
