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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.proto.MpsrProtos.ContentHashProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupContentProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RehashedProto;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.ReadContent;

/** Translates what a rewrite has read to protobuf messages and back. */
public final class RemovedContentWire {

    private RemovedContentWire() {}

    /** One message for each group. */
    public static List<GroupContentProto> groups(Map<String, RemovedContent> byGroup) {
        return byGroup.entrySet().stream()
                .map(e -> group(e.getKey(), e.getValue()))
                .toList();
    }

    private static GroupContentProto group(String group, RemovedContent removed) {
        GroupContentProto.Builder proto =
                GroupContentProto.newBuilder().setGroup(group).addAllContent(Wire.contents(removed.stated()));
        removed.rehashed()
                .forEach((directory, read) -> proto.addRehashed(RehashedProto.newBuilder()
                        .setDirectory(directory)
                        .addAllContent(Wire.contents(read.stated()))
                        .setRehashed(Wire.content(read.rehashed()))));
        return proto.build();
    }

    /** @throws IllegalArgumentException if a content hash makes no sense */
    public static Map<String, RemovedContent> groups(List<GroupContentProto> groups) {
        Map<String, RemovedContent> byGroup = new HashMap<>();
        for (GroupContentProto group : groups) {
            byGroup.merge(group.getGroup(), group(group), (a, b) -> RemovedContent.sum(List.of(a, b)));
        }
        return byGroup;
    }

    private static RemovedContent group(GroupContentProto proto) {
        Map<String, ReadContent> rehashed = new HashMap<>();
        for (RehashedProto directory : proto.getRehashedList()) {
            ReadContent read =
                    new ReadContent(contents(directory.getContentList()), Wire.content(directory.getRehashed()));
            rehashed.merge(directory.getDirectory(), read, ReadContent::plus);
        }
        return new RemovedContent(contents(proto.getContentList()), rehashed);
    }

    private static ContentHashes contents(List<ContentHashProto> protos) {
        return ContentHashes.of(protos.stream().map(Wire::content).toList());
    }
}
