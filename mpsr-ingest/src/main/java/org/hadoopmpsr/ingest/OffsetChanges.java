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
package org.hadoopmpsr.ingest;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.ingest.DatasetWriters.Targets;
import org.hadoopmpsr.ingest.commit.CommitTarget;
import org.hadoopmpsr.ingest.commit.CommittedOffsets;
import org.jspecify.annotations.Nullable;

/**
 * Judges changes of the offsets that Connect keeps of a connector. They say where the sink begins as long as the dataset has
 * no offset of a topic-partition. Afterwards they are a copy of the dataset's, and a change of the copy would have no effect.
 */
final class OffsetChanges {
    private final MpsrSinkConfig config;
    private final Targets targets;

    OffsetChanges(MpsrSinkConfig config, Targets targets) {
        this.config = config;
        this.targets = targets;
    }

    /**
     * Makes sure that changes have an effect.
     *
     * @param wanted the offset of each topic-partition, null to forget it
     * @throws ConnectException when the dataset has another offset of one of them, or does not say
     */
    void require(Map<TopicPartition, @Nullable Long> wanted) {
        Map<String, Map<TopicPartition, @Nullable Long>> byDataset = new TreeMap<>();
        wanted.forEach((partition, offset) -> byDataset
                .computeIfAbsent(config.topic(partition.topic()).dataset(), path -> new HashMap<>())
                .put(partition, offset));
        byDataset.forEach(this::require);
    }

    private void require(String path, Map<TopicPartition, @Nullable Long> wanted) {
        for (CommittedOffset offset : committed(path).offsets()) {
            TopicPartition partition = new TopicPartition(offset.topic(), offset.partition());
            if (wanted.containsKey(partition) && !Long.valueOf(offset.end()).equals(wanted.get(partition))) {
                throw new ConnectException("the dataset " + path + " has the records of " + partition
                        + " before offset "
                        + offset.end() + ", and the sink goes on there, whatever offset Connect keeps. No offset is"
                        + " changed. To go on at another one, run 'hdfs mpsr dataset offsets " + path + " --reset "
                        + offset.topic() + ":" + offset.partition() + "=OFFSET' while the connector is stopped.");
            }
        }
    }

    private CommittedOffsets committed(String path) {
        try (CommitTarget target = targets.open(path)) {
            CommittedOffsets answer = target.offsets();
            if (answer.refusal() == null || answer.refusal().kind() == Refusal.Kind.NO_SUCH_DATASET) {
                return answer;
            }
            throw unanswered(path, answer.refusal().reason(), null);
        } catch (FileNotFoundException e) {
            return CommittedOffsets.refused(Refusal.Kind.NO_SUCH_DATASET, "there is no dataset at " + path);
        } catch (IOException e) {
            throw unanswered(path, e.getClass().getSimpleName() + ": " + MpsrClient.answer(e), e);
        }
    }

    private static ConnectException unanswered(String path, String reason, @Nullable IOException cause) {
        return new ConnectException(
                "cannot ask for the offsets of the dataset " + path + ", and no offset is changed: " + reason, cause);
    }
}
