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
package org.hadoopmpsr.namenode;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;

/** The parts of MPSR in one NameNode, put together. */
final class Mpsr {
    private final Readiness readiness;
    private final Allocation allocation;
    private final Datasets datasets;
    private final Placement placement;
    private final Activation activation;
    private final DatasetCreation creation;
    private final DatasetRemoval removal;
    private final DatasetInfos infos;
    private final Commits commits;
    private final Planning planning;
    private final Verification verification;
    private final Health health;
    private final Gauges gauges;
    private final SafeModeExit safeModeExit;
    private final StatusReport status;
    private final MpsrInfo info;
    private final Counters counters;
    private final BlockGroups blockGroups;
    private final Movers movers;
    private final MovedCopies movedCopies;
    private final FirstReports firstReports;
    private final RenameRules renameRules;
    private final Rebalance rebalance;
    private final Upkeep upkeep;

    Mpsr(MpsrNamesystem system, MpsrConfig config) {
        StoreLayout layout = new StoreLayout(config.storeDir());
        Namespace namespace = new Namespace(system);
        allocation = new Allocation(system, namespace, layout);
        datasets = new Datasets(system, namespace, layout);
        readiness = new Readiness(config, allocation, hostProblems(system));
        placement = new Placement(
                system.blocks().getDatanodeManager().getNetworkTopology(), layout, allocation, datasets, readiness);
        blockGroups = new BlockGroups(system, datasets, placement);
        movers = new Movers(system);
        counters = new Counters(() -> readiness.status().state().text(), () -> gauges().get(), Gauges::description);
        movedCopies = new MovedCopies(system, allocation, blockGroups, counters);
        firstReports = new FirstReports(allocation, blockGroups, movedCopies);
        placement.judgeCopies(movedCopies);
        Offsets offsets = new Offsets(namespace, layout);
        Indexes indexes = new Indexes(system, namespace, layout);
        verification = new Verification(system, namespace, layout);
        CommitLog log = new CommitLog();
        DatasetLocks locks = new DatasetLocks();
        RollForward rollForward = new RollForward(namespace, layout, offsets, indexes, log);
        activation = new Activation(
                system,
                allocation,
                datasets,
                locks,
                rollForward,
                readiness,
                placement,
                movedCopies,
                counters,
                MpsrPlugin.class.getName());
        creation = new DatasetCreation(system, namespace, layout, readiness, allocation, datasets);
        removal = new DatasetRemoval(
                system, namespace, layout, datasets, indexes, verification, locks, config.dropDelaySeconds());
        infos = new DatasetInfos(system, layout, datasets, indexes, verification, offsets, locks);
        commits = new Commits(
                system, namespace, layout, config, readiness, datasets, offsets, locks, rollForward, counters);
        FileBlocks fileBlocks = new FileBlocks(system);
        planning = new Planning(
                system,
                layout,
                activation,
                datasets,
                indexes,
                verification,
                new UsableGroups(system, layout, readiness, verification, rollForward, counters),
                allocation,
                fileBlocks,
                locks,
                counters,
                config.costs());
        health = new Health(datasets, indexes, verification, fileBlocks, locks);
        gauges = new Gauges(config, readiness, allocation, datasets, indexes, health, commits);
        safeModeExit = new SafeModeExit(
                system, config, new MissingBlocks(system, namespace, layout, datasets, indexes, fileBlocks));
        RebalanceRun run = new RebalanceRun(
                system,
                new Obstacles(system, config, allocation, placement),
                allocation,
                blockGroups,
                placement,
                counters);
        rebalance = new Rebalance(system, layout, config, readiness, allocation, placement, run);
        Warnings warnings = new Warnings(system, config, allocation, datasets, health, safeModeExit, run);
        status = new StatusReport(system, config, readiness, allocation, datasets, indexes, warnings, health, counters);
        info = new MpsrInfo(
                readiness,
                health,
                new GroupViews(system, config, allocation, datasets, indexes, health),
                new DatasetViews(system, datasets, indexes, offsets, health, log),
                warnings,
                config.storeDir());
        renameRules = new RenameRules(
                system, namespace, layout, config, readiness, allocation, datasets, placement, counters);
        upkeep = new Upkeep(system, namespace, layout, config, this);
    }

    /** What this NameNode lacks for MPSR, whatever the groups are. */
    private static List<ConfigProblem> hostProblems(MpsrNamesystem system) {
        List<ConfigProblem> problems = new ArrayList<>();
        Object policy = system.blocks().getBlockPlacementPolicy();
        if (!(policy instanceof MpsrBlockPlacementPolicy)) {
            problems.add(new ConfigProblem(
                    DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
                    policy.getClass().getName(),
                    "this policy does not keep representations on their nodes",
                    "set it to " + MpsrBlockPlacementPolicy.class.getName()));
        }
        if (!system.xattrsEnabled()) {
            problems.add(new ConfigProblem(
                    DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY,
                    "false",
                    "definitions and statistics are kept as extended attributes",
                    "set it to true"));
        }
        return problems;
    }

    private Gauges gauges() {
        return gauges;
    }

    Readiness readiness() {
        return readiness;
    }

    Allocation allocation() {
        return allocation;
    }

    Datasets datasets() {
        return datasets;
    }

    Placement placement() {
        return placement;
    }

    Activation activation() {
        return activation;
    }

    DatasetCreation creation() {
        return creation;
    }

    DatasetRemoval removal() {
        return removal;
    }

    DatasetInfos infos() {
        return infos;
    }

    Commits commits() {
        return commits;
    }

    Planning planning() {
        return planning;
    }

    StatusReport status() {
        return status;
    }

    MpsrInfo info() {
        return info;
    }

    Verification verification() {
        return verification;
    }

    Health health() {
        return health;
    }

    Counters counters() {
        return counters;
    }

    BlockGroups blockGroups() {
        return blockGroups;
    }

    Movers movers() {
        return movers;
    }

    MovedCopies movedCopies() {
        return movedCopies;
    }

    FirstReports firstReports() {
        return firstReports;
    }

    SafeModeExit safeModeExit() {
        return safeModeExit;
    }

    RenameRules renameRules() {
        return renameRules;
    }

    Rebalance rebalance() {
        return rebalance;
    }

    Upkeep upkeep() {
        return upkeep;
    }
}
