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
package org.hadoopmpsr.ingest.commit;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.ingest.source.SourceOffsets;
import org.hadoopmpsr.ingest.source.TopicIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Finds out where topic-partitions begin that are taken on: at the dataset's committed ends. */
final class Beginnings {
    private static final Logger LOG = PrintableLog.of(Beginnings.class);

    private final CommitTarget target;
    private final TopicIdentity identity;
    private final SourceOffsets offsets;
    private final Set<TopicPartition> unknown = new HashSet<>();

    Beginnings(CommitTarget target, TopicIdentity identity, SourceOffsets offsets) {
        this.target = target;
        this.identity = identity;
        this.offsets = offsets;
    }

    /** Takes on partitions whose committed end is to be found out. */
    void add(Collection<TopicPartition> partitions) {
        unknown.addAll(partitions);
    }

    void remove(Collection<TopicPartition> partitions) {
        unknown.removeAll(partitions);
    }

    /** True when the ends of all partitions are known. */
    boolean areKnown() {
        return unknown.isEmpty();
    }

    /**
     * Finds the ends out, and seeks them.
     *
     * @return why nobody says them; null when all are known now
     * @throws IOException when it may be tried again
     * @throws ConnectException when a topic is another one than the one that is committed
     */
    @Nullable
    Refusal seek() throws IOException {
        CommittedOffsets answer = target.offsets();
        if (answer.refusal() != null) {
            return answer.refusal();
        }
        Map<String, String> ids = identity.ids(unknown);
        for (TopicPartition partition : unknown) {
            offsets.position(partition).topicId = ids.get(partition.topic());
        }
        for (CommittedOffset offset : answer.offsets()) {
            TopicPartition partition = new TopicPartition(offset.topic(), offset.partition());
            if (unknown.contains(partition)) {
                TopicIdentity.requireSame(offset, ids);
                offsets.seek(partition, offset.end());
                LOG.info("{} is committed up to {} by {}", partition, offset.end(), offset.commitId());
            }
        }
        unknown.clear();
        return null;
    }
}
