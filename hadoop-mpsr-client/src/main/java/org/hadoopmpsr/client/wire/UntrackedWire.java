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
package org.hadoopmpsr.client.wire;

import org.hadoopmpsr.client.proto.MpsrProtos.UntrackedFileProto;
import org.hadoopmpsr.core.adopt.UntrackedFile;

/** Translates untracked files to protobuf messages and back. */
public final class UntrackedWire {

    private UntrackedWire() {}

    public static UntrackedFileProto file(UntrackedFile file) {
        UntrackedFileProto.Builder proto = UntrackedFileProto.newBuilder()
                .setPath(file.path())
                .setFileId(file.fileId())
                .setLength(file.length())
                .setModificationTime(file.modificationTime())
                .setAge(file.ageMs())
                .setState(file.state())
                .setRights(file.rights());
        return file.unfit() == null
                ? proto.build()
                : proto.setUnfit(file.unfit()).build();
    }

    public static UntrackedFile file(UntrackedFileProto proto) {
        return new UntrackedFile(
                proto.getPath(),
                proto.getFileId(),
                proto.getLength(),
                proto.getModificationTime(),
                proto.getAge(),
                proto.getState(),
                proto.getRights(),
                proto.hasUnfit() ? proto.getUnfit() : null);
    }
}
