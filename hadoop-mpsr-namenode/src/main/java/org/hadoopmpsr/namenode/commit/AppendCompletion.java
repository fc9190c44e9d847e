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
package org.hadoopmpsr.namenode.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.store.CommitRecord;

/**
 * The completion of a commit of a sink: first the files that readers without MPSR see, then the offsets, then the other
 * groups' files. The files of one directory move in one hold of the lock, up to {@link #SHOWN_AT_ONCE} of them.
 */
final class AppendCompletion extends Completion {
    /** The edits of HDFS for one source: a new record, a jump, the offset, and the topic's id. */
    private static final int EDITS_OF_SOURCE = 4;

    private final List<OffsetJump> jumps = new ArrayList<>();

    AppendCompletion(Shared parts, DatasetRecord dataset, String changeId) {
        super(parts, dataset, changeId);
    }

    @Override
    void plan(Collection<Part> all, CommitRecord change) {
        addMoves(all, dataset.defaultGroup(), SHOWN_AT_ONCE);
        all.add(new Part(0, edits -> throwFailure()));
        for (CommitSource source : change.sources()) {
            all.add(new Part(EDITS_OF_SOURCE, edits -> {
                parts.offsets().record(edits, dataset, change, source).ifPresent(jumps::add);
                return true;
            }));
        }
        for (String group : dataset.groups().names()) {
            if (!group.equals(dataset.defaultGroup())) {
                addMoves(all, group, PublishHolds.STEP);
            }
        }
    }

    @Override
    List<OffsetJump> jumps() {
        return jumps;
    }

    @Override
    Segment segment(CommitRecord change) {
        return Segment.appended(
                changeId, change.sequence(), parts.system().clock().now(), change.sources(), change.groups());
    }
}
