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

import org.hadoopmpsr.namenode.budget.CallPlaces;
import org.hadoopmpsr.namenode.calls.RenameRules;
import org.hadoopmpsr.namenode.calls.ReplicationRule;
import org.hadoopmpsr.namenode.calls.RightsOfCalls;
import org.hadoopmpsr.namenode.calls.SnapshotRule;
import org.hadoopmpsr.namenode.commit.Commits;
import org.hadoopmpsr.namenode.copies.FirstReports;
import org.hadoopmpsr.namenode.copies.MovedCopies;
import org.hadoopmpsr.namenode.copies.Movers;
import org.hadoopmpsr.namenode.damage.DamageInfos;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.guard.StoreGuard;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.history.HistoryChanges;
import org.hadoopmpsr.namenode.history.HistoryInfos;
import org.hadoopmpsr.namenode.history.PastSegmentFiles;
import org.hadoopmpsr.namenode.history.Rollbacks;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.lifecycle.AdoptionPause;
import org.hadoopmpsr.namenode.lifecycle.ColumnAlteration;
import org.hadoopmpsr.namenode.lifecycle.DatasetCreation;
import org.hadoopmpsr.namenode.lifecycle.DatasetInfos;
import org.hadoopmpsr.namenode.lifecycle.DatasetRemoval;
import org.hadoopmpsr.namenode.lifecycle.GroupAlteration;
import org.hadoopmpsr.namenode.lifecycle.RemadeDirectories;
import org.hadoopmpsr.namenode.listing.Exchanges;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.offset.OffsetResets;
import org.hadoopmpsr.namenode.plan.Planning;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.rebalance.Rebalance;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.segment.Purge;
import org.hadoopmpsr.namenode.segment.ReplacedFiles;
import org.hadoopmpsr.namenode.segment.SegmentInfos;
import org.hadoopmpsr.namenode.status.MpsrInfo;
import org.hadoopmpsr.namenode.status.OptionalParts;
import org.hadoopmpsr.namenode.status.StatusReport;
import org.hadoopmpsr.namenode.untracked.UntrackedFiles;
import org.hadoopmpsr.namenode.upkeep.Upkeep;
import org.hadoopmpsr.namenode.workload.Workload;

/** The parts of MPSR in one NameNode, as {@link Wiring} has built and connected them. */
record Mpsr(
        Readiness readiness,
        Allocation allocation,
        Datasets datasets,
        Placement placement,
        Activation activation,
        DatasetCreation creation,
        DatasetRemoval removal,
        DatasetInfos infos,
        Commits commits,
        OffsetResets offsetResets,
        Planning planning,
        DatasetRights rights,
        RightsOfCalls rightsOfCalls,
        Indexes indexes,
        Verification verification,
        StatusReport status,
        MpsrInfo info,
        Counters counters,
        BlockGroups blockGroups,
        Movers movers,
        MovedCopies movedCopies,
        FirstReports firstReports,
        RenameRules renameRules,
        ReplicationRule replicationRule,
        StoreGuard storeGuard,
        DatasetQuotas quotas,
        SegmentInfos segments,
        Purge purge,
        HistoryInfos history,
        HistoryChanges historyChanges,
        GroupAlteration alteration,
        ColumnAlteration columns,
        AdoptionPause adoption,
        Rollbacks rollbacks,
        Workload workload,
        PastSegmentFiles pastSegmentFiles,
        DamageInfos damage,
        UntrackedFiles untracked,
        ReplacedFiles replacedFiles,
        Exchanges exchanges,
        SnapshotRule snapshotRule,
        RemadeDirectories remadeDirectories,
        Rebalance rebalance,
        Maintenance maintenance,
        CallPlaces callPlaces,
        Upkeep upkeep,
        OptionalParts optional) {}
