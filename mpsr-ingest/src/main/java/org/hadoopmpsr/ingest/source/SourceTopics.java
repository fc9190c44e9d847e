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
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/** What Kafka says of topics. For one thread. */
public interface SourceTopics extends AutoCloseable {
    /**
     * The offset of the first record of a partition that Kafka still has, or may have; empty when Kafka cannot be
     * asked.
     */
    OptionalLong earliest(TopicPartition partition);

    /**
     * Kafka's id of each topic that exists now. A topic that is deleted and made anew has another id.
     *
     * @return the ids by name; empty when nobody can be asked
     * @throws IOException when Kafka does not answer
     */
    Map<String, String> ids(Collection<String> topics) throws IOException;

    /**
     * How far a partition goes on from an offset without a record: past ends of transactions and what compaction removed.
     *
     * @return the offset of the next record, or the partition's end; {@code from} when nobody can be asked
     * @throws IOException when Kafka does not answer
     */
    long endOfGap(TopicPartition partition, long from) throws IOException;

    @Override
    void close();
}
