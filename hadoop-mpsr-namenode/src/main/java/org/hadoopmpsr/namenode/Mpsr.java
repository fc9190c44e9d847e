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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.calls.RenameRules;
import org.hadoopmpsr.namenode.calls.ReplicationRule;
import org.hadoopmpsr.namenode.commit.CommitLog;
import org.hadoopmpsr.namenode.commit.Commits;
import org.hadoopmpsr.namenode.commit.Offsets;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.commit.StagingExpiry;
import org.hadoopmpsr.namenode.copies.FirstReports;
import org.hadoopmpsr.namenode.copies.MovedCopies;
import org.hadoopmpsr.namenode.copies.Movers;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.health.FileHealth;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.health.HealthCheck;
import org.hadoopmpsr.namenode.health.MissingBlocks;
import org.hadoopmpsr.namenode.health.SafeModeExit;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.lifecycle.DatasetCreation;
import org.hadoopmpsr.namenode.lifecycle.DatasetInfos;
import org.hadoopmpsr.namenode.lifecycle.DatasetRemoval;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.hadoopmpsr.namenode.nodes.NewNodes;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.plan.Planning;
import org.hadoopmpsr.namenode.plan.UsableGroups;
import org.hadoopmpsr.namenode.rebalance.Obstacles;
import org.hadoopmpsr.namenode.rebalance.PlacementRepair;
import org.hadoopmpsr.namenode.rebalance.Rebalance;
import org.hadoopmpsr.namenode.rebalance.RebalanceRun;
import org.hadoopmpsr.namenode.status.DatasetViews;
import org.hadoopmpsr.namenode.status.Gauges;
import org.hadoopmpsr.namenode.status.GroupViews;
import org.hadoopmpsr.namenode.status.MpsrInfo;
import org.hadoopmpsr.namenode.status.OptionalParts;
import org.hadoopmpsr.namenode.status.StatusReport;
import org.hadoopmpsr.namenode.status.Warnings;
import org.hadoopmpsr.namenode.store.Namespace;

/** Builds and connects the parts of MPSR in one NameNode. */
final class Mpsr {
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration EXPIRY = Duration.ofMinutes(1);

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
    private final Indexes indexes;
    private final Verification verification;
    private final Gauges gauges;
    private final StatusReport status;
    private final MpsrInfo info;
    private final Counters counters;
    private final BlockGroups blockGroups;
    private final Movers movers;
    private final MovedCopies movedCopies;
    private final FirstReports firstReports;
    private final RenameRules renameRules;
    private final ReplicationRule replicationRule;
    private final Rebalance rebalance;
    private final Upkeep upkeep;
    private final OptionalParts optional = new OptionalParts();

    Mpsr(MpsrNamesystem system, MpsrConfig config) {
        StoreLayout layout = new StoreLayout(config.storeDir());
        Namespace namespace = new Namespace(system);
        allocation = new Allocation(system, namespace, layout);
        datasets = new Datasets(system, namespace, layout);
        readiness = new Readiness(config, allocation, () -> hostProblems(system));
        placement = new Placement(
                system.blocks().getDatanodeManager().getNetworkTopology(), layout, allocation, datasets, readiness);
        allocation.listeners().add(readiness::refresh);
        allocation.listeners().add(placement::publish);
        datasets.listeners().add(placement::publish);
        readiness.listeners().add(placement::publish);
        blockGroups = new BlockGroups(system, datasets, placement);
        movers = new Movers(system);
        counters = new Counters(() -> readiness.status().state().text(), () -> gauges().get(), Gauges::description);
        movedCopies = new MovedCopies(system, allocation, blockGroups, counters);
        firstReports = new FirstReports(allocation, blockGroups, movedCopies);
        placement.judgeCopies(movedCopies);
        Offsets offsets = new Offsets(namespace, layout);
        indexes = new Indexes(system, namespace, layout);
        verification = new Verification(system, namespace, layout);
        datasets.listeners().add(this::dropGone);
        allocation
                .listeners()
                .add(() -> firstReports.retain(allocation.recorded().keySet()));
        CommitLog log = new CommitLog(system.clock());
        DatasetLocks locks = new DatasetLocks();
        RollForward rollForward = new RollForward(namespace, layout, offsets, indexes, log);
        activation = new Activation(
                system,
                allocation,
                datasets,
                locks,
                rollForward,
                readiness,
                movedCopies,
                counters,
                MpsrPlugin.class.getName());
        creation = new DatasetCreation(system, namespace, layout, readiness, allocation, datasets);
        removal = new DatasetRemoval(system, namespace, layout, datasets, locks, config.dropDelaySeconds());
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
        Health health = new Health(
                datasets,
                new HealthCheck(config, indexes, verification, new FileHealth(system, allocation), locks),
                system.clock());
        gauges = new Gauges(config, readiness, allocation, datasets, indexes, health, commits);
        SafeModeExit safeModeExit =
                new SafeModeExit(system, config, new MissingBlocks(system, namespace, layout, datasets, indexes));
        RebalanceRun run = new RebalanceRun(
                system, new Obstacles(system, config, allocation, placement), allocation, blockGroups, counters);
        rebalance = new Rebalance(system, layout, config, readiness, allocation, run);
        PlacementRepair repair = new PlacementRepair(system, readiness, allocation, blockGroups, movedCopies, counters);
        Warnings warnings = new Warnings(system, config, allocation, datasets, health, safeModeExit, run, optional);
        status = new StatusReport(
                system, config, readiness, allocation, datasets, removal, indexes, warnings, health, counters);
        info = new MpsrInfo(
                readiness,
                health,
                new GroupViews(system, config, allocation, datasets, indexes, health),
                new DatasetViews(system, datasets, indexes, offsets, health, log),
                warnings,
                config.storeDir());
        replicationRule = new ReplicationRule(system, config, placement);
        renameRules = new RenameRules(
                system, namespace, layout, config, readiness, allocation, datasets, placement, counters);
        NewNodes newNodes = new NewNodes(system, config, datasets, allocation);
        StagingExpiry staging =
                new StagingExpiry(system, namespace, layout, datasets, counters, config.stagingExpiryHours());
        PeriodicTask records = new PeriodicTask(
                "records",
                TICK,
                List.of(
                        activation::activate,
                        readiness::refresh,
                        datasets::refresh,
                        newNodes::allocate,
                        activation::completeCommits,
                        removal::deleteDue,
                        movedCopies::deleteWrong,
                        safeModeExit::check,
                        planning::expirePages),
                List.of(
                        activation::follow,
                        safeModeExit::check, // not only when it has to become active
                        planning::expirePages));
        upkeep = new Upkeep(
                system,
                counters,
                List.of(
                        records,
                        PeriodicTask.ofActive("staged commits", EXPIRY, staging::deleteExpired),
                        PeriodicTask.ofActive("moves of nodes", TICK, run::advance, repair::advance),
                        PeriodicTask.ofActive(
                                "health",
                                Duration.ofSeconds(config.healthIntervalSeconds()),
                                health::check,
                                () -> repair.found(health.wrong()))));
    }

    /** What this NameNode lacks for MPSR at the moment, whatever the groups are. */
    private static List<ConfigProblem> hostProblems(MpsrNamesystem system) {
        List<ConfigProblem> problems = new ArrayList<>();
        Object policy = system.blocks().getBlockPlacementPolicy();
        if (!(policy instanceof MpsrBlockPlacementPolicy)) {
            problems.add(new ConfigProblem(
                    DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
                    policy.getClass().getName(),
                    "this policy does not keep representations on their nodes",
                    "set it to " + MpsrBlockPlacementPolicy.class.getName() + " and make it effective with hdfs"
                            + " dfsadmin -reconfig namenode HOST:PORT start, or restart the NameNode; MPSR then copies"
                            + " back what lies outside its group"));
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

    /** Drops the cached data of datasets that no longer exist. */
    private void dropGone() {
        Set<String> ids = datasets.ids();
        indexes.retain(ids);
        verification.retain(ids);
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

    Indexes indexes() {
        return indexes;
    }

    Verification verification() {
        return verification;
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

    RenameRules renameRules() {
        return renameRules;
    }

    ReplicationRule replicationRule() {
        return replicationRule;
    }

    Rebalance rebalance() {
        return rebalance;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    OptionalParts optional() {
        return optional;
    }
}
