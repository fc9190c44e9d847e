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
package org.hadoopmpsr.core.commit;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The end of the committed offsets of a topic-partition. The namespace records it as the name of a directory, with the
 * topic's id as an attribute. Immutable.
 *
 * @param end all offsets below this one are committed
 * @param commitId the id of the last of these commits
 * @param topicId Kafka's id of the topic; null if unknown
 */
public record CommittedOffset(
        String topic,
        int partition,
        long end,
        String commitId,
        @Nullable String topicId) {

    public CommittedOffset(String topic, int partition, long end, String commitId) {
        this(topic, partition, end, commitId, null);
    }

    /** This offset with another topic id. */
    public CommittedOffset withTopicId(@Nullable String id) {
        return new CommittedOffset(topic, partition, end, commitId, id);
    }

    /** The directory's name: topic, partition, end and commit, joined by {@code =}. */
    public String directoryName() {
        return namePrefix(topic, partition) + end + "=" + commitId;
    }

    /** With what the directory's name of a topic-partition's offset starts, and that of no other. */
    public static String namePrefix(String topic, int partition) {
        return encode(topic) + "=" + partition + "=";
    }

    /**
     * Reads the offset from a directory's name. The topic id is unknown.
     *
     * @throws IllegalArgumentException if the name does not have the form of {@link #directoryName}
     */
    public static CommittedOffset parse(String name) {
        String[] parts = name.split("=", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("not the record of an offset: '" + name + "'");
        }
        return new CommittedOffset(
                URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                Integer.parseInt(parts[1]),
                Long.parseLong(parts[2]),
                parts[3]);
    }

    private static String encode(String topic) {
        return URLEncoder.encode(topic, StandardCharsets.UTF_8);
    }
}
