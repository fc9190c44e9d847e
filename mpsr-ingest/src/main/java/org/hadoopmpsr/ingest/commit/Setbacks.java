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
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.core.commit.Refusal;

/** What a failure or a refusal leads to: a wait for the dataset, or the end of the task. For one thread. */
final class Setbacks {
    private final String dataset;
    private final Backoff backoff;
    private final IngestMetrics metrics;
    private final Set<TopicPartition> partitions;

    /**
     * Makes one.
     *
     * @param dataset the dataset's path
     * @param partitions those that wait; a view that follows changes
     */
    Setbacks(String dataset, Backoff backoff, IngestMetrics metrics, Set<TopicPartition> partitions) {
        this.dataset = dataset;
        this.backoff = backoff;
        this.metrics = metrics;
        this.partitions = partitions;
    }

    /** Begins to wait after a failure that may pass. */
    void failed(String text, IOException e) {
        metrics.retry();
        Throwable root = e.getCause() == null ? e : e.getCause();
        backoff.begin(root.getClass().getName(), text, partitions);
    }

    /**
     * Begins to wait after a refusal that may pass.
     *
     * @throws DatasetGoneException when the dataset is gone
     * @throws GroupsChangedException when the dataset is to be opened anew
     * @throws ConnectException when waiting is of no use
     */
    void refused(Refusal refusal) {
        String text = "the dataset " + dataset + " takes no commit: " + refusal.reason();
        switch (refusal.kind()) {
            case NO_SUCH_DATASET, OTHER_DATASET -> throw new DatasetGoneException(text);
            case GROUPS_CHANGED -> throw new GroupsChangedException(text);
            case NOT_STAGED, NO_PERMISSION, NO_SPACE, NOT_READY, OTHER_VERSION -> {
                metrics.retry();
                backoff.begin(refusal.kind().name(), text, partitions);
            }
            default -> throw new ConnectException(text);
        }
    }
}
