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

import java.util.EnumMap;
import java.util.Map;
import org.hadoopmpsr.client.proto.MpsrProtos.DamageCausesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DamageProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DamagedFileProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebuildScopeProto;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.rebuild.DamageCauses;
import org.hadoopmpsr.core.rebuild.DamagedFile;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.hadoopmpsr.core.stats.DataFile;

/** Translates damage to protobuf messages and back. */
public final class DamageWire {

    private DamageWire() {}

    public static DamageProto damage(Damage damage) {
        DamageProto.Builder proto = DamageProto.newBuilder()
                .setSegment(damage.segment())
                .setGroup(damage.group())
                .setDefaultGroup(damage.isDefault())
                .addAllSource(SegmentWire.groups(damage.sources()))
                .setSince(damage.sinceMs())
                .setDue(damage.due())
                .setHeld(Wire.content(damage.held()))
                .setMissing(Wire.content(damage.missing()))
                .setDeleted(damage.deleted());
        damage.files().forEach(f -> proto.addFile(file(f)));
        return proto.build();
    }

    private static DamagedFileProto file(DamagedFile damaged) {
        DataFile file = damaged.file();
        return DamagedFileProto.newBuilder()
                .setPath(file.path())
                .setFileId(file.fileId())
                .setLength(file.length())
                .setModificationTime(file.modificationTime())
                .setStatistics(Wire.statistics(file.statistics()))
                .setCause(DamagedFileProto.Cause.valueOf(damaged.cause().name()))
                .setForeign(damaged.foreign())
                .setState(damaged.state())
                .build();
    }

    public static RebuildScopeProto scope(RebuildScope scope) {
        return RebuildScopeProto.newBuilder()
                .setGroup(scope.group())
                .setSegments(scope.segments())
                .setFiles(scope.files())
                .setBytes(scope.bytes())
                .setFalseFiles(scope.falseFiles())
                .build();
    }

    /** @throws IllegalArgumentException if a number makes no sense */
    public static RebuildScope scope(RebuildScopeProto proto) {
        return new RebuildScope(
                proto.getGroup(), proto.getSegments(), proto.getFiles(), proto.getBytes(), proto.getFalseFiles());
    }

    /** Without false files, which no NameNode knows. */
    public static DamageCausesProto causes(DamageCauses causes) {
        return DamageCausesProto.newBuilder()
                .setLost(causes.files().getOrDefault(DamagedFile.Cause.LOST, 0))
                .setCorrupt(causes.files().getOrDefault(DamagedFile.Cause.CORRUPT, 0))
                .setChanged(causes.files().getOrDefault(DamagedFile.Cause.CHANGED, 0))
                .setDeletedIn(causes.deletedIn())
                .build();
    }

    public static DamageCauses causes(DamageCausesProto proto) {
        Map<DamagedFile.Cause, Integer> files = new EnumMap<>(DamagedFile.Cause.class);
        files.put(DamagedFile.Cause.LOST, proto.getLost());
        files.put(DamagedFile.Cause.CORRUPT, proto.getCorrupt());
        files.put(DamagedFile.Cause.CHANGED, proto.getChanged());
        files.values().removeIf(number -> number == 0);
        return new DamageCauses(files, proto.getDeletedIn());
    }

    /** @throws IllegalArgumentException if a content hash makes no sense */
    public static Damage damage(DamageProto proto) {
        return new Damage(
                proto.getSegment(),
                proto.getGroup(),
                proto.getDefaultGroup(),
                SegmentWire.groups(proto.getSourceList()),
                proto.getSince(),
                proto.getDue(),
                Wire.content(proto.getHeld()),
                Wire.content(proto.getMissing()),
                proto.getDeleted(),
                proto.getFileList().stream().map(DamageWire::file).toList());
    }

    private static DamagedFile file(DamagedFileProto proto) {
        DataFile file = new DataFile(
                proto.getPath(),
                proto.getFileId(),
                proto.getLength(),
                proto.getModificationTime(),
                Wire.statistics(proto.getStatistics()));
        return new DamagedFile(
                file, DamagedFile.Cause.valueOf(proto.getCause().name()), proto.getForeign(), proto.getState());
    }
}
