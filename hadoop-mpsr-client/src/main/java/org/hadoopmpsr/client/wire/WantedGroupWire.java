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

import org.hadoopmpsr.client.proto.MpsrProtos.AlteredGroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ColumnTransformsProto;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.group.WantedGroup;

/** What somebody wants of a dataset's groups, in messages. */
public final class WantedGroupWire {
    private WantedGroupWire() {}

    /** The message of a wish. */
    public static AlteredGroupProto proto(WantedGroup wanted) {
        AlteredGroupProto.Builder proto = AlteredGroupProto.newBuilder()
                .setGroup(wanted.group())
                .addAllPredicate(
                        wanted.predicates().stream().map(Predicate::text).toList())
                .addAllSort(wanted.sort().stream().map(SortKey::recorded).toList());
        if (wanted.codec() != null) {
            proto.setCodec(wanted.codec().text());
        }
        if (wanted.transforms() != null) {
            proto.setTransforms(ColumnTransformsProto.newBuilder()
                    .addAllTransform(wanted.transforms().texts()));
        }
        return proto.build();
    }

    /**
     * The wish of a message.
     *
     * @throws IllegalArgumentException if a part of it cannot be read
     */
    public static WantedGroup wanted(AlteredGroupProto proto) {
        return new WantedGroup(
                proto.getGroup(),
                proto.getPredicateList().stream().map(Predicate::parse).toList(),
                proto.getSortList().stream().map(SortKey::ofRecorded).toList(),
                proto.hasCodec() ? Codecs.parse(proto.getCodec()) : null,
                proto.hasTransforms()
                        ? ColumnTransforms.parse(proto.getTransforms().getTransformList())
                        : null);
    }
}
