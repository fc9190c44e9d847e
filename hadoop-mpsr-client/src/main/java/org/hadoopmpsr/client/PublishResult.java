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
package org.hadoopmpsr.client;

import java.util.List;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of publishing a commit.
 *
 * @param reason why it is not published; empty when it is
 * @param refusal not null when it is refused
 * @param offsets the committed offsets of its topic-partitions after the call; none when it is refused
 */
public record PublishResult(
        Outcome outcome, String reason, @Nullable Refusal refusal, List<CommittedOffset> offsets) {

    /** What became of the commit. */
    public enum Outcome {
        /** This call has published it. */
        COMMITTED,
        /** An earlier call had published it. */
        ALREADY_COMMITTED,
        /**
         * Another writer has committed some of its offsets, or has replaced a segment that it removes: nothing of it is
         * published, nor will be.
         */
        FENCED,
        /** Nothing of it is published; what must change first is in the refusal. */
        REFUSED
    }

    /** The result for a refused commit. */
    public static PublishResult refused(Refusal refusal) {
        return new PublishResult(Outcome.REFUSED, refusal.reason(), refusal, List.of());
    }

    /** True when the commit is in the dataset now. */
    public boolean isCommitted() {
        return outcome == Outcome.COMMITTED || outcome == Outcome.ALREADY_COMMITTED;
    }
}
