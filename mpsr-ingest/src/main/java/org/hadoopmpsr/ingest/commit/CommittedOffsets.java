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
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the question how far topic-partitions are committed.
 *
 * @param refusal why nobody says; null when {@code offsets} are said
 */
public record CommittedOffsets(
        List<CommittedOffset> offsets, @Nullable Refusal refusal) {

    /** The answer with offsets. */
    public static CommittedOffsets of(List<CommittedOffset> offsets) {
        return new CommittedOffsets(offsets, null);
    }

    /** The answer without offsets. */
    public static CommittedOffsets refused(Refusal.Kind kind, String reason) {
        return new CommittedOffsets(List.of(), new Refusal(kind, reason));
    }
}
