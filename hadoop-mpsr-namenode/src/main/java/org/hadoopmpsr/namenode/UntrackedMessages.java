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
import org.hadoopmpsr.client.proto.MpsrProtos.GetUntrackedRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetUntrackedResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetUnfitRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.SetUnfitResponseProto;
import org.hadoopmpsr.client.wire.UntrackedWire;
import org.hadoopmpsr.namenode.untracked.UntrackedFiles;

/** Translates the calls about files of ordinary writers. */
final class UntrackedMessages {

    private UntrackedMessages() {}

    static GetUntrackedResponseProto get(UntrackedFiles untracked, GetUntrackedRequestProto request)
            throws IOException {
        UntrackedFiles.Found found = untracked.at(request.getPath());
        GetUntrackedResponseProto.Builder response = GetUntrackedResponseProto.newBuilder()
                .setDatasetId(found.datasetId())
                .setMore(found.more());
        found.files().forEach(file -> response.addFile(UntrackedWire.file(file)));
        return response.build();
    }

    static SetUnfitResponseProto set(UntrackedFiles untracked, SetUnfitRequestProto request) throws IOException {
        untracked.keep(
                request.getPath(),
                request.getFileList().stream()
                        .map(f -> new UntrackedFiles.Finding(f.getFileId(), f.getState(), f.getReason()))
                        .toList());
        return SetUnfitResponseProto.getDefaultInstance();
    }
}
