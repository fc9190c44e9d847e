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
package org.hadoopmpsr.ingest.source;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Fence;

/**
 * Tells a topic from an earlier topic of that name, whose offsets mean other records. Without access to Kafka, topics
 * of one name cannot be told apart.
 */
public final class TopicIdentity {
    private final SourceTopics topics;

    public TopicIdentity(SourceTopics topics) {
        this.topics = topics;
    }

    /** The ids of the partitions' topics now, by name, as far as they are known. */
    public Map<String, String> ids(Collection<TopicPartition> partitions) throws IOException {
        return topics.ids(partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
    }

    /** @throws ConnectException when an offset was committed from another topic than the one that has the name now */
    public static void requireSame(CommittedOffset offset, Map<String, String> ids) {
        String id = ids.get(offset.topic());
        if (id != null && offset.topicId() != null && !id.equals(offset.topicId())) {
            throw new ConnectException(Fence.otherTopic(offset.topic(), id, offset));
        }
    }

    /**
     * Makes sure that all that was read of the sources was read from one topic.
     *
     * @throws ConnectException when a topic was made anew since
     */
    public void requireUnchanged(List<CommitSource> sources) throws IOException {
        Map<String, String> ids =
                topics.ids(sources.stream().map(CommitSource::topic).collect(Collectors.toSet()));
        for (CommitSource source : sources) {
            String id = ids.get(source.topic());
            if (source.topicId() != null && id != null && !id.equals(source.topicId())) {
                throw new ConnectException("the topic " + source.topic() + " was deleted and made anew while the task"
                        + " runs: its id was " + source.topicId() + " and is " + id + ". What was read of partition "
                        + source.partition() + " from offset " + source.start() + " on is not committed, for nobody"
                        + " knows which of the two topics it is of. Send the new topic's records to a topic of another"
                        + " name.");
            }
        }
    }
}
