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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.config.CallLimits;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.elastic.FileHeat;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.budget.CallPlaces;
import org.hadoopmpsr.namenode.calls.RenameRules;
import org.hadoopmpsr.namenode.calls.ReplicationRule;
import org.hadoopmpsr.namenode.calls.RightsOfCalls;
import org.hadoopmpsr.namenode.calls.SnapshotRule;
import org.hadoopmpsr.namenode.commit.Commits;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.copies.FirstReports;
import org.hadoopmpsr.namenode.copies.MovedCopies;
import org.hadoopmpsr.namenode.copies.Movers;
import org.hadoopmpsr.namenode.damage.DamageInfos;
import org.hadoopmpsr.namenode.damage.DamageLook;
import org.hadoopmpsr.namenode.damage.Damaged;
import org.hadoopmpsr.namenode.dataset.CommitLog;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.elastic.FurtherCopies;
import org.hadoopmpsr.namenode.guard.StoreGuard;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.health.FileHealth;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.health.HealthCheck;
import org.hadoopmpsr.namenode.health.MissingBlocks;
import org.hadoopmpsr.namenode.health.SafeModeExit;
import org.hadoopmpsr.namenode.history.Histories;
import org.hadoopmpsr.namenode.history.HistoryChanges;
import org.hadoopmpsr.namenode.history.HistoryInfos;
import org.hadoopmpsr.namenode.history.PastFiles;
import org.hadoopmpsr.namenode.history.PastSegmentFiles;
import org.hadoopmpsr.namenode.history.PastStates;
import org.hadoopmpsr.namenode.history.Rollbacks;
import org.hadoopmpsr.namenode.index.FileBlocks;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.lifecycle.AdoptionPause;
import org.hadoopmpsr.namenode.lifecycle.ColumnAlteration;
import org.hadoopmpsr.namenode.lifecycle.DatasetCreation;
import org.hadoopmpsr.namenode.lifecycle.DatasetInfos;
import org.hadoopmpsr.namenode.lifecycle.DatasetRemoval;
import org.hadoopmpsr.namenode.lifecycle.DefinitionChanges;
import org.hadoopmpsr.namenode.lifecycle.GroupAlteration;
import org.hadoopmpsr.namenode.lifecycle.RemadeDirectories;
import org.hadoopmpsr.namenode.listing.Exchanges;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.hadoopmpsr.namenode.nodes.CopyBounds;
import org.hadoopmpsr.namenode.nodes.NewNodes;
import org.hadoopmpsr.namenode.nodes.OutOfService;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.offset.OffsetResets;
import org.hadoopmpsr.namenode.plan.Planning;
import org.hadoopmpsr.namenode.plan.UsableGroups;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.quota.StoreUse;
import org.hadoopmpsr.namenode.rebalance.Obstacles;
import org.hadoopmpsr.namenode.rebalance.PlacementRepair;
import org.hadoopmpsr.namenode.rebalance.Rebalance;
import org.hadoopmpsr.namenode.rebalance.RebalanceRun;
import org.hadoopmpsr.namenode.rights.DatasetReaders;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.rights.StoreMode;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.segment.HistoryRecords;
import org.hadoopmpsr.namenode.segment.HistoryRetention;
import org.hadoopmpsr.namenode.segment.OwnerRule;
import org.hadoopmpsr.namenode.segment.Purge;
import org.hadoopmpsr.namenode.segment.ReplacedFiles;
import org.hadoopmpsr.namenode.segment.Retention;
import org.hadoopmpsr.namenode.segment.SegmentInfos;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.staging.OpenCommits;
import org.hadoopmpsr.namenode.staging.StagingExpiry;
import org.hadoopmpsr.namenode.status.DatasetViews;
import org.hadoopmpsr.namenode.status.Gauges;
import org.hadoopmpsr.namenode.status.GroupViews;
import org.hadoopmpsr.namenode.status.MpsrInfo;
import org.hadoopmpsr.namenode.status.OptionalParts;
import org.hadoopmpsr.namenode.status.RebuildViews;
import org.hadoopmpsr.namenode.status.StatusReport;
import org.hadoopmpsr.namenode.status.Warnings;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.untracked.UntrackedFiles;
import org.hadoopmpsr.namenode.upkeep.PeriodicTask;
import org.hadoopmpsr.namenode.upkeep.Upkeep;
import org.hadoopmpsr.namenode.workload.Workload;
import org.hadoopmpsr.namenode.writer.Admission;

/** Builds and connects the parts of MPSR in one NameNode. */
final class Wiring {
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration VIEW = Duration.ofSeconds(15);
    private static final Duration EXPIRY = Duration.ofMinutes(1);

    private Wiring() {}

    static Mpsr connect(MpsrNamesystem system, MpsrConfig config) {
        StoreLayout layout = new StoreLayout(config.storeDir());
        Namespace namespace = new Namespace(system);
        Allocation allocation = new Allocation(system, namespace, layout);
        Datasets datasets = new Datasets(system, namespace, layout);
        Readiness readiness = new Readiness(config, allocation, new HostProblems(system));
        Placement placement =
                new Placement(system, namespace, layout, config.scatterWidths(), allocation, datasets, readiness);
        allocation.listeners().add(readiness::refresh);
        allocation.listeners().add(placement::publish);
        datasets.listeners().add(placement::publish);
        readiness.listeners().add(placement::publish);
        BlockGroups blockGroups = new BlockGroups(system, datasets, placement);
        Movers movers = new Movers(system);
        CompletableFuture<Gauges> gauges = new CompletableFuture<>(); // they count what the parts below hold
        Counters counters = new Counters(
                () -> readiness.status().state().text(), () -> gauges.join().get(), Gauges::description);
        MovedCopies movedCopies = new MovedCopies(system, allocation, blockGroups, counters);
        FirstReports firstReports = new FirstReports(allocation, blockGroups, movedCopies);
        placement.judgeCopies(movedCopies);
        Offsets offsets = new Offsets(namespace, layout);
        DatasetRights rights = new DatasetRights(system, namespace, layout);
        DatasetReaders readers = new DatasetReaders(system, layout, rights);
        Indexes indexes = new Indexes(system, namespace, layout);
        Verification verification = new Verification(system, namespace, layout);
        datasets.listeners().add(() -> {
            Set<String> ids = datasets.ids();
            indexes.retain(ids);
            verification.retain(ids);
        });
        allocation
                .listeners()
                .add(() -> firstReports.retain(allocation.recorded().keySet()));
        CommitLog log = new CommitLog(system.clock());
        DatasetLocks locks = new DatasetLocks(datasets::withId);
        Deletion deletion = new Deletion(system, namespace);
        SegmentRecords segmentRecords = new SegmentRecords(system, namespace, layout);
        RollForward rollForward = new RollForward(
                system, namespace, layout, offsets, indexes, rights, segmentRecords, log, deletion, counters);
        Activation activation = new Activation(
                system,
                allocation,
                datasets,
                locks,
                rollForward,
                readiness,
                movedCopies,
                counters,
                MpsrPlugin.class.getName());
        DatasetCreation creation = new DatasetCreation(system, namespace, layout, readiness, allocation, datasets);
        DatasetRemoval removal =
                new DatasetRemoval(system, namespace, layout, datasets, locks, deletion, config.dropDelaySeconds());
        StoreUse storeUse = new StoreUse(system, namespace, layout);
        HistoryRecords historyRecords = new HistoryRecords(namespace, layout);
        HistoryRetention historyRetention = new HistoryRetention(
                system, segmentRecords, historyRecords, config.dropDelaySeconds(), config.historySeconds());
        Retention retention = new Retention(
                system, namespace, layout, datasets, indexes, segmentRecords, historyRetention, deletion, counters);
        OwnerRule owners = new OwnerRule(system, namespace, datasets);
        Purge purge = new Purge(system, namespace, layout, owners, retention);
        DatasetUpgrade upgrade = new DatasetUpgrade(system, segmentRecords, historyRecords, datasets);
        Histories histories = new Histories(system, namespace, layout, segmentRecords, historyRecords);
        ReplacedFiles replacedFiles = new ReplacedFiles(system, namespace, layout, datasets);
        PastFiles pastFiles = new PastFiles(system, namespace, layout, replacedFiles);
        Maintenance maintenance = new Maintenance(system, namespace, layout, datasets, config.maintenanceEnabled());
        SegmentInfos segments = new SegmentInfos(
                system,
                datasets,
                readers,
                indexes,
                locks,
                segmentRecords,
                config.calls().maxPageBytes());
        DatasetInfos infos = new DatasetInfos(
                system,
                layout,
                datasets,
                readers,
                indexes,
                verification,
                offsets,
                locks,
                storeUse,
                segmentRecords,
                retention,
                maintenance,
                config.calls().maxPageBytes());
        DatasetQuotas quotas = new DatasetQuotas(system, namespace, layout, datasets, storeUse);
        OpenCommits open = new OpenCommits(config.maxOpenCommits(), config.maxOpenCommitsOfUser());
        Commits commits = new Commits(
                system,
                namespace,
                layout,
                config,
                readiness,
                datasets,
                locks,
                rollForward,
                upgrade,
                pastFiles,
                quotas,
                open,
                deletion,
                counters);
        OffsetResets offsetResets =
                new OffsetResets(system, namespace, layout, datasets, offsets, locks, rollForward, counters);
        FileBlocks fileBlocks = new FileBlocks(system);
        Workload workload =
                new Workload(system, datasets, readers, config.workloadClasses(), config.workloadLiterals(), counters);
        datasets.listeners().add(() -> workload.retain(datasets.ids()));
        FileHeat heat = new FileHeat(
                config.elastic().isOn() ? FurtherCopies.MOST_FILES : 0,
                config.elastic().halfLifeMs());
        Planning planning = new Planning(
                system,
                layout,
                activation,
                datasets,
                readers,
                indexes,
                verification,
                new UsableGroups(system, readiness, verification, rollForward, counters),
                new PastStates(system, histories, pastFiles),
                allocation,
                fileBlocks,
                locks,
                workload,
                heat,
                counters,
                config.costs(),
                config.slowReads(),
                config.calls());
        UntrackedFiles untracked = new UntrackedFiles(
                system,
                namespace,
                datasets,
                readers,
                new Admission(system, namespace, readiness, datasets),
                indexes,
                verification,
                locks);
        CopyBounds copyBounds = new CopyBounds(system, config.elastic(), allocation);
        Health health = new Health(
                datasets,
                new HealthCheck(
                        config,
                        indexes,
                        verification,
                        new FileHealth(system, allocation),
                        copyBounds,
                        untracked,
                        locks),
                system.clock());
        Damaged damaged = new Damaged(
                datasets,
                new DamageLook(system, namespace, layout, indexes, verification, segmentRecords, locks),
                system.clock());
        DamageInfos damage = new DamageInfos(
                system,
                datasets,
                readers,
                damaged,
                config.rebuildDelaySeconds(),
                config.calls().maxPageBytes());
        FurtherCopies furtherCopies = new FurtherCopies(
                system,
                namespace,
                layout,
                config,
                datasets,
                indexes,
                health,
                readiness,
                allocation,
                blockGroups,
                copyBounds,
                quotas,
                heat,
                counters);
        CallPlaces callPlaces = callPlaces(system, config.calls());
        OutOfService outOfService = new OutOfService(config, allocation);
        gauges.complete(new Gauges(
                config,
                readiness,
                allocation,
                outOfService,
                datasets,
                indexes,
                health,
                damaged,
                commits,
                retention,
                maintenance,
                callPlaces,
                workload,
                furtherCopies,
                system.clock(),
                system.holds()));
        SafeModeExit safeModeExit =
                new SafeModeExit(system, config, new MissingBlocks(system, namespace, layout, datasets, indexes));
        RebalanceRun run = new RebalanceRun(
                system, new Obstacles(system, config, allocation, placement), allocation, blockGroups, counters);
        Rebalance rebalance = new Rebalance(system, layout, config, readiness, allocation, run);
        PlacementRepair repair = new PlacementRepair(system, readiness, allocation, blockGroups, movedCopies, counters);
        OptionalParts optional = new OptionalParts();
        Warnings warnings = new Warnings(
                system,
                config,
                allocation,
                outOfService,
                datasets,
                readers,
                health,
                safeModeExit,
                run,
                maintenance,
                optional);
        RebuildViews rebuilds = new RebuildViews(datasets, damaged, maintenance, open, config.rebuildDelaySeconds());
        StatusReport status = new StatusReport(
                system,
                config,
                readiness,
                allocation,
                datasets,
                removal,
                indexes,
                warnings,
                health,
                maintenance,
                damaged,
                rebuilds,
                furtherCopies,
                counters);
        MpsrInfo info = new MpsrInfo(
                readiness,
                health,
                new GroupViews(system, config, allocation, datasets, indexes, health),
                new DatasetViews(datasets, indexes, offsets, health, damaged, rebuilds, log),
                warnings,
                maintenance,
                rebuilds,
                furtherCopies,
                config.storeDir());
        ReplicationRule replicationRule = new ReplicationRule(system, namespace, layout, config, allocation, placement);
        StoreGuard storeGuard = new StoreGuard(system, namespace, layout, activation, allocation, datasets, counters);
        RenameRules renameRules = new RenameRules(
                system, namespace, layout, config, readiness, allocation, datasets, placement, counters);
        NewNodes newNodes = new NewNodes(system, config, datasets, allocation);
        StagingExpiry staging = new StagingExpiry(
                system,
                namespace,
                layout,
                datasets,
                counters,
                open,
                deletion,
                config.stagingExpiryHours(),
                config.emptyStagingExpiryMinutes());
        DefinitionChanges definitions = new DefinitionChanges(system, datasets, locks, rollForward, upgrade, indexes);
        GroupAlteration alteration = new GroupAlteration(
                system,
                namespace,
                layout,
                readiness,
                datasets,
                locks,
                definitions,
                indexes,
                verification,
                new FileHealth(system, allocation));
        PeriodicTask records = new PeriodicTask(
                "records",
                TICK,
                List.of(
                        activation::activate,
                        readiness::refresh,
                        datasets::refresh,
                        newNodes::allocate,
                        outOfService::check,
                        activation::completeCommits,
                        removal::deleteDue,
                        alteration::completeDue,
                        retention::deleteDue,
                        movedCopies::deleteWrong,
                        safeModeExit::check,
                        planning::expirePages,
                        new StoreMode(system, namespace, layout)::close),
                List.of(
                        activation::follow,
                        outOfService::check,
                        safeModeExit::check, // not only when it has to become active
                        planning::expirePages));
        Upkeep upkeep = new Upkeep(
                system,
                counters,
                List.of(
                        records,
                        PeriodicTask.ofActive(
                                "staged commits",
                                EXPIRY,
                                staging::deleteExpired,
                                rights::retain,
                                quotas::countLimited,
                                retention::count),
                        new PeriodicTask(
                                "the view of maintenance",
                                VIEW,
                                List.of(maintenance::look),
                                List.of(maintenance::look)),
                        PeriodicTask.ofActive("moves of nodes", TICK, run::advance, repair::advance),
                        PeriodicTask.ofActive(
                                "health",
                                Duration.ofSeconds(config.healthIntervalSeconds()),
                                health::check,
                                () -> repair.found(health.wrong()),
                                damaged::check,
                                furtherCopies::adjust)));
        return new Mpsr(
                readiness,
                allocation,
                datasets,
                placement,
                activation,
                creation,
                removal,
                infos,
                commits,
                offsetResets,
                planning,
                rights,
                new RightsOfCalls(system, rights, layout),
                indexes,
                verification,
                status,
                info,
                counters,
                blockGroups,
                movers,
                movedCopies,
                firstReports,
                renameRules,
                replicationRule,
                storeGuard,
                quotas,
                segments,
                purge,
                new HistoryInfos(system, datasets, readers, locks, histories, historyRetention),
                new HistoryChanges(system, owners, locks, upgrade, histories, historyRecords),
                alteration,
                new ColumnAlteration(definitions, histories),
                new AdoptionPause(definitions),
                new Rollbacks(system, datasets, readers, locks, histories),
                workload,
                new PastSegmentFiles(
                        system,
                        datasets,
                        readers,
                        segmentRecords,
                        pastFiles,
                        config.calls().maxPageBytes()),
                damage,
                untracked,
                replacedFiles,
                new Exchanges(system, namespace, layout, datasets, config.dropDelaySeconds()),
                new SnapshotRule(system, datasets, locks, rollForward),
                new RemadeDirectories(system, namespace, layout, datasets, locks, indexes),
                rebalance,
                maintenance,
                callPlaces,
                upkeep,
                optional);
    }

    private static CallPlaces callPlaces(MpsrNamesystem system, CallLimits limits) {
        int handlers = system.conf()
                .getInt(DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY, DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT);
        return new CallPlaces(
                limits.concurrent(handlers),
                limits.perUser(handlers),
                Runtime.getRuntime().maxMemory() / 100 * limits.heapPercent(),
                system::caller);
    }
}
