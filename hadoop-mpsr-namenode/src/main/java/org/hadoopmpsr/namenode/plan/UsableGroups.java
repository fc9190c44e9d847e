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
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.jspecify.annotations.Nullable;

/** Says which groups a caller can be given to read, whatever it asks. */
public final class UsableGroups {
    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final Readiness readiness;
    private final Verification verification;
    private final RollForward rollForward;
    private final Counters counters;

    public UsableGroups(
            MpsrNamesystem system,
            StoreLayout layout,
            Readiness readiness,
            Verification verification,
            RollForward rollForward,
            Counters counters) {
        this.system = system;
        this.layout = layout;
        this.readiness = readiness;
        this.verification = verification;
        this.rollForward = rollForward;
        this.counters = counters;
    }

    /**
     * The plan that leaves the reader on the default representation where there is nothing to choose.
     *
     * @param unusable gets the reasons for which groups are not to be chosen from, by their names
     * @return null when there is something to choose
     */
    @Nullable
    Plan stock(DatasetRecord dataset, DatasetIndex index, Map<String, String> unusable) throws IOException {
        if (!readiness.isReady()) {
            return stock(dataset, readiness.status().message(), Counter.FALLBACKS_NOT_READY);
        }
        if (system.read(() -> rollForward.isPending(dataset))) {
            return stock(dataset, "a commit waits to be completed", Counter.FALLBACKS_PENDING);
        }
        unusable.putAll(verification.problems(dataset, index));
        String divergence = unusable.get(dataset.defaultGroup());
        if (divergence != null) {
            return stock(dataset, divergence, Counter.FALLBACKS_DIVERGED);
        }
        unusable.putAll(unreadable(dataset));
        return null;
    }

    private Plan stock(DatasetRecord dataset, String reason, Counter counter) {
        counters.increment(counter);
        return Planner.stock(dataset.defaultGroup(), List.of(), reason);
    }

    /** The groups whose files the caller may not read, though it may read the dataset directory. */
    private Map<String, String> unreadable(DatasetRecord dataset) throws IOException {
        Map<String, String> reasons = new HashMap<>();
        for (String group : dataset.groups().names()) {
            try {
                system.checkAccess("mpsrPlan", dataset.root(layout, group), FsAction.READ_EXECUTE);
            } catch (AccessControlException e) {
                reasons.put(group, "user " + system.caller() + " may not read it");
            }
        }
        return reasons;
    }
}
