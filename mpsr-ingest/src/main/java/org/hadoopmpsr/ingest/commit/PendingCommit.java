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

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitId;
import org.hadoopmpsr.core.commit.CommitSource;

/** A commit that is staged and not known to be published. */
record PendingCommit(String id, List<CommitSource> sources, List<StagedFile> files, int records) {
    private static final int MAX_TOPIC = 60;

    /** A new identity: the first source, and a number that no other attempt has. */
    static String newId(List<CommitSource> sources) {
        CommitSource first = sources.get(0);
        String topic = first.topic().replaceAll("[^A-Za-z0-9_.-]", "_");
        if (!Character.isLetterOrDigit(topic.charAt(0))) {
            topic = "t" + topic;
        }
        topic = topic.substring(0, Math.min(MAX_TOPIC, topic.length()));
        return CommitId.check(String.format(
                Locale.ROOT,
                "%s-%d-%d-%d-%08x",
                topic,
                first.partition(),
                first.start(),
                first.end(),
                ThreadLocalRandom.current().nextInt()));
    }
}
