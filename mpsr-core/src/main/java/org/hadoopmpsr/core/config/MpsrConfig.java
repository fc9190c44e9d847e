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
package org.hadoopmpsr.core.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.SlowReads;
import org.hadoopmpsr.core.elastic.ElasticSettings;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration, read and validated once. Immutable.
 *
 * @param groups the replica groups; empty if none are configured or if there are problems
 * @param declared the groups as far as they are readable, also if there are problems
 * @param scatterWidths over how many nodes of each group the files of a segment are spread
 * @param storeDir an absolute path without a trailing slash
 * @param calls the limits of calls
 * @param workloadClasses the most classes of queries that are kept
 * @param workloadLiterals true if values that queries ask for are kept
 * @param elastic how far files that are read much get further copies
 * @param maintenanceEnabled false to have no maintenance run
 * @param costs the costs by which planning compares groups
 * @param slowReads what reads from slow DataNodes cost
 * @param problems all problems; empty if the configuration is usable
 */
public record MpsrConfig(
        Optional<ReplicaGroups> groups,
        List<ReplicaGroup> declared,
        ScatterWidths scatterWidths,
        String storeDir,
        int maxCommitFiles,
        int maxWaitingCommits,
        CallLimits calls,
        int stagingExpiryHours,
        int emptyStagingExpiryMinutes,
        int maxOpenCommits,
        int maxOpenCommitsOfUser,
        int dropDelaySeconds,
        int historySeconds,
        int healthIntervalSeconds,
        int safeModeQuietSeconds,
        int rebuildDelaySeconds,
        int workloadClasses,
        boolean workloadLiterals,
        ElasticSettings elastic,
        boolean maintenanceEnabled,
        CostModel costs,
        SlowReads slowReads,
        List<ConfigProblem> problems) {

    public MpsrConfig {
        declared = List.copyOf(declared);
        problems = List.copyOf(problems);
    }

    /** A source of values: maps a key to its text, or to null if the key is not set. */
    public interface Source extends UnaryOperator<@Nullable String> {
        /** The keys that are set and begin with a prefix, without it, and their texts. A source that cannot tell has none. */
        default Map<String, String> below(String prefix) {
            return Map.of();
        }
    }

    /** Reads and validates all keys. Never throws; problems are in {@link #problems}. */
    public static MpsrConfig read(Source source) {
        return new ConfigReader(source).read();
    }
}
