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

import java.util.function.Function;
import java.util.function.LongSupplier;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.hadoopmpsr.ingest.source.SourceTopics;

/**
 * What a session works with.
 *
 * @param decoders reads the records of a topic; throws when the topic's messages cannot fill the dataset
 * @param memory shared with other sessions
 * @param skipsGaps whether to go on where Kafka has deleted records before they were committed
 * @param lostDeadLetters how many records Connect could not send to the dead letter queue so far
 */
public record OpenDataset(
        CommitTarget target,
        CommitStager stager,
        Function<String, RecordDecoder> decoders,
        BufferMemory memory,
        SourceTopics topics,
        boolean skipsGaps,
        LongSupplier lostDeadLetters) {}
