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
package org.hadoopmpsr.namenode.plan;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.OrdinaryChanges;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.jspecify.annotations.Nullable;

/** Tells which groups a caller who may read the dataset can be given to read, whatever the caller asks. */
public final class UsableGroups {
    private final MpsrNamesystem system;
    private final Readiness readiness;
    private final Verification verification;
    private final RollForward rollForward;
    private final Counters counters;

    public UsableGroups(
            MpsrNamesystem system,
            Readiness readiness,
            Verification verification,
            RollForward rollForward,
            Counters counters) {
        this.system = system;
        this.readiness = readiness;
        this.verification = verification;
        this.rollForward = rollForward;
        this.counters = counters;
    }

    /**
     * What the caller can be given to read.
     *
     * @param stock the plan that leaves the reader on the default representation; null when there is something to choose
     * @param excluded why groups are not chosen from, by their names
     * @param damaged the other groups that have damaged files or segments, by their names
     * @param ordinary what ordinary writers have changed in the default group, and the caller heeds
     */
    record Usability(
            @Nullable Plan stock,
            Map<String, String> excluded,
            Map<String, Verification.Look> damaged,
            OrdinaryChanges ordinary) {
        /** Of a caller who is given nothing. */
        static final Usability NONE = new Usability(null, Map.of(), Map.of(), OrdinaryChanges.NONE);

        Usability {
            excluded = Map.copyOf(excluded);
            damaged = Map.copyOf(damaged);
        }
    }

    /**
     * The usability of a dataset's groups.
     *
     * @param read what the caller can do: with segments from several groups, a group can be chosen although it has damaged files
     *     or segments
     */
    Usability of(DatasetRecord dataset, DatasetIndex index, ReadRequest read) throws IOException {
        if (!readiness.isReady()) {
            return stock(dataset, readiness.status().message(), Counter.FALLBACKS_NOT_READY);
        }
        if (system.read(() -> rollForward.isPending(dataset))) {
            return stock(dataset, "a commit waits to be completed", Counter.FALLBACKS_PENDING);
        }
        // after it was asked whether a commit waits: where the index is of half a change, the files differ or the
        // change waits
        Map<String, Verification.Look> looks = verification.looks(dataset, index);
        Map<String, String> excluded = new HashMap<>();
        Map<String, Verification.Look> damaged = new HashMap<>();
        looks.forEach((group, look) -> {
            // the default group is what stock reads: whoever changed it may have meant it
            boolean isDefault = group.equals(dataset.defaultGroup());
            if (isDefault && read.untracked() && look.ordinary() != null) {
                return;
            }
            if (read.parts() && !isDefault && look.isPartlyReadable()) {
                damaged.put(group, look);
            } else if (!look.problem().isEmpty()) {
                excluded.put(group, look.problem());
            }
        });
        String divergence = excluded.get(dataset.defaultGroup());
        if (divergence != null) {
            return stock(dataset, divergence, Counter.FALLBACKS_DIVERGED);
        }
        Verification.Look ofDefault = looks.get(dataset.defaultGroup());
        OrdinaryChanges ordinary = read.untracked() && ofDefault != null ? ofDefault.ordinary() : null;
        return new Usability(null, excluded, damaged, ordinary == null ? OrdinaryChanges.NONE : ordinary);
    }

    private Usability stock(DatasetRecord dataset, String reason, Counter counter) {
        counters.increment(counter);
        return new Usability(
                Planner.stock(dataset.defaultGroup(), List.of(), reason), Map.of(), Map.of(), OrdinaryChanges.NONE);
    }
}
