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
package org.hadoopmpsr.namenode.status;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.apache.hadoop.hdfs.server.namenode.LockHolds;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.budget.CallPlaces;
import org.hadoopmpsr.namenode.commit.Commits;
import org.hadoopmpsr.namenode.damage.Damaged;
import org.hadoopmpsr.namenode.damage.Redundancy;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.elastic.FurtherCopies;
import org.hadoopmpsr.namenode.elastic.FurtherCopiesView;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.health.RepresentationHealth;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.maintain.MaintenanceView;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.OutOfService;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.segment.Retention;
import org.hadoopmpsr.namenode.workload.Workload;

/** The current values for metrics and status. Takes no lock, and builds no index. */
public final class Gauges {
    private static final Map<String, String> DESCRIPTIONS = Map.ofEntries(
            Map.entry("Ready", "1 when MPSR is ready, else 0"),
            Map.entry("Problems", "what keeps MPSR from being ready"),
            Map.entry("Groups", "replica groups that are configured"),
            Map.entry("AllocatedNodes", "DataNodes that belong to a replica group"),
            Map.entry(
                    "GroupsOutOfService",
                    "replica groups with live DataNodes, all of which are decommissioned, leave or are in maintenance"),
            Map.entry("Datasets", "datasets"),
            Map.entry("OrphanedStores", "directories in the store whose dataset directory is gone"),
            Map.entry("StorelessDatasets", "dataset directories whose directory in the store is missing"),
            Map.entry("SetAsideDatasets", "datasets that cannot be used, because a record of theirs cannot be read"),
            Map.entry("DroppedStores", "directories in the store of dropped datasets, which are deleted later"),
            Map.entry("WaitingCommits", "commits that are published or wait for it"),
            Map.entry(
                    "ReplacedFiles", "files that rewrites have replaced and that are deleted later, when last counted"),
            Map.entry("ReplacedBytes", "bytes of all copies of these files"),
            Map.entry("Calls", "calls to MPSR that are carried out"),
            Map.entry("CallBytes", "bytes of the heap that these calls take, as they estimate it"),
            Map.entry("LockMsMax", "longest hold of the namesystem lock by MPSR, in milliseconds"),
            Map.entry("LongLocks", "holds of the namesystem lock by MPSR of more than 10 ms"),
            Map.entry("LockLooksMax", "most inodes that MPSR looked at in one hold of the namesystem lock"),
            Map.entry("LockEditsMax", "most edits of the namespace that MPSR made in one hold of that lock"),
            Map.entry("WorkloadClasses", "classes of queries that the workload holds"),
            Map.entry("FurtherCopyFiles", "files that have further copies because they are read much"),
            Map.entry("FurtherCopyBytes", "bytes of these copies"),
            Map.entry("FurtherCopyBudgetBytes", "the most bytes that these copies may take"),
            Map.entry("FurtherCopiesWaiting", "such copies that are due and wait for earlier ones"),
            Map.entry("FurtherCopiesRefused", "such copies that would be due and fit into no budget or quota"),
            Map.entry("OpenCommits", "commits that are begun and neither published nor aborted"),
            Map.entry("DegradedFiles", "published files with a block that has no live replica, when last looked at"),
            Map.entry("RecordsWithoutCopy", "records of whose segment no group holds all, when last looked at"),
            Map.entry("BytesWithoutCopy", "bytes of one copy of these records"),
            Map.entry("RecordsWithOneCopy", "records of whose segment one group of several holds all"),
            Map.entry("BytesWithOneCopy", "bytes of one copy of these records"),
            Map.entry("RecordsLackingCopies", "records of whose segment some group does not hold all"),
            Map.entry("BytesLackingCopies", "bytes of one copy of these records"),
            Map.entry(
                    "BytesToRebuild",
                    "about how many bytes are missing in all groups and can be rebuilt, when last looked at"),
            Map.entry(
                    "FullRedundancySeconds",
                    "seconds until nothing is left to rebuild, at the pace of the rebuild so far; 0 if nothing is left, -1"
                            + " while nothing was rebuilt yet"),
            Map.entry("MisplacedBlocks", "blocks of published files on nodes outside their group, when last looked at"),
            Map.entry("UnusableRepresentations", "representations that cannot be read, when last looked at"),
            Map.entry("DifferingDatasets", "datasets whose groups do not all hold the same records"),
            Map.entry("Files", "published files in all groups"),
            Map.entry("Bytes", "bytes of published files in all groups, each counted once"),
            Map.entry("MaintenanceLeader", "1 while a process maintains the cluster, else 0"),
            Map.entry("MaintenanceRunning", "maintenance tasks that run"),
            Map.entry("MaintenanceFailing", "maintenance tasks whose last run in a dataset failed"),
            Map.entry(
                    "MaintenanceAgeSeconds",
                    "seconds since all maintenance tasks last had nothing left to do; -1 if they never had"),
            Map.entry(
                    "ScrubOldestSeconds",
                    "seconds since the segment that has waited longest for a scrub was read or written; -1 before the first"
                            + " scrub"),
            Map.entry("ScrubFound", "segments of groups that scrubs have found to be wrong"),
            Map.entry("ScrubHealed", "segments of groups that scrubs have written anew"),
            Map.entry("ScrubWrong", "segments of groups that are wrong and could not be healed"),
            Map.entry("Records", "committed records, each counted once"));

    private final MpsrConfig config;
    private final Readiness readiness;
    private final Allocation allocation;
    private final OutOfService outOfService;
    private final Datasets datasets;
    private final Indexes indexes;
    private final Health health;
    private final Damaged damaged;
    private final Commits commits;
    private final Retention retention;
    private final Maintenance maintenance;
    private final CallPlaces places;
    private final Workload workload;
    private final FurtherCopies furtherCopies;
    private final Timer clock;
    private final LockHolds holds;

    public Gauges(
            MpsrConfig config,
            Readiness readiness,
            Allocation allocation,
            OutOfService outOfService,
            Datasets datasets,
            Indexes indexes,
            Health health,
            Damaged damaged,
            Commits commits,
            Retention retention,
            Maintenance maintenance,
            CallPlaces places,
            Workload workload,
            FurtherCopies furtherCopies,
            Timer clock,
            LockHolds holds) {
        this.config = config;
        this.readiness = readiness;
        this.allocation = allocation;
        this.outOfService = outOfService;
        this.datasets = datasets;
        this.indexes = indexes;
        this.health = health;
        this.damaged = damaged;
        this.commits = commits;
        this.retention = retention;
        this.maintenance = maintenance;
        this.places = places;
        this.workload = workload;
        this.furtherCopies = furtherCopies;
        this.clock = clock;
        this.holds = holds;
    }

    /** The description of a gauge. */
    public static String description(String name) {
        return DESCRIPTIONS.getOrDefault(name, name);
    }

    /**
     * The values by name. Files, records and bytes cover the datasets that were asked about since the NameNode started.
     */
    public Map<String, Long> get() {
        Map<String, Long> gauges = new TreeMap<>();
        gauges.put("Ready", readiness.isReady() ? 1L : 0L);
        gauges.put("Problems", (long) readiness.status().problems().size());
        gauges.put("Groups", (long) config.declared().size());
        gauges.put("WorkloadClasses", (long) workload.size());
        gauges.put("AllocatedNodes", (long) allocation.recorded().size());
        gauges.put("GroupsOutOfService", (long) outOfService.count());
        gauges.put("Datasets", (long) datasets.all().size());
        gauges.put("OrphanedStores", (long) datasets.orphans().size());
        gauges.put("StorelessDatasets", (long) datasets.storeless().size());
        gauges.put("SetAsideDatasets", (long) datasets.setAside().size());
        gauges.put("DroppedStores", (long) datasets.dropped().size());
        gauges.put("WaitingCommits", (long) commits.waiting());
        gauges.put("ReplacedFiles", retention.counted().files());
        gauges.put("ReplacedBytes", retention.counted().bytes());
        gauges.put("Calls", (long) places.taken());
        gauges.put("CallBytes", places.reservedBytes());
        gauges.put("LockMsMax", holds.longestMs());
        gauges.put("LongLocks", holds.longHolds());
        gauges.put("LockLooksMax", holds.mostLooks());
        gauges.put("LockEditsMax", holds.mostEdits());
        gauges.put("OpenCommits", (long) commits.open());
        List<RepresentationHealth> unhealthy = health.unhealthy();
        gauges.put(
                "DegradedFiles",
                unhealthy.stream()
                        .mapToLong(RepresentationHealth::degradedFiles)
                        .sum());
        gauges.put(
                "MisplacedBlocks",
                unhealthy.stream()
                        .mapToLong(RepresentationHealth::misplacedBlocks)
                        .sum());
        gauges.put(
                "UnusableRepresentations",
                unhealthy.stream().filter(f -> !f.problem().isEmpty()).count());
        addFurtherCopies(gauges);
        addRedundancy(gauges);
        addMaintenance(gauges);
        addFiles(gauges);
        return gauges;
    }

    private void addFurtherCopies(Map<String, Long> gauges) {
        FurtherCopiesView view = furtherCopies.view();
        gauges.put("FurtherCopyFiles", view.files());
        gauges.put("FurtherCopyBytes", view.bytes());
        gauges.put("FurtherCopyBudgetBytes", view.budgetBytes());
        gauges.put("FurtherCopiesWaiting", view.waiting());
        gauges.put("FurtherCopiesRefused", view.refused());
    }

    private void addRedundancy(Map<String, Long> gauges) {
        Collection<Redundancy> all = damaged.redundancies().values();
        addRedundancy(gauges, "WithoutCopy", all, copies -> copies == 0);
        addRedundancy(gauges, "WithOneCopy", all, copies -> copies == 1);
        addRedundancy(gauges, "LackingCopies", all, copies -> true);
        gauges.put("BytesToRebuild", damaged.trend().bytes());
        gauges.put("FullRedundancySeconds", damaged.trend().leftSeconds());
    }

    private static void addRedundancy(
            Map<String, Long> gauges, String what, Collection<Redundancy> all, IntPredicate counts) {
        long records = 0;
        long bytes = 0;
        for (Redundancy redundancy : all) {
            for (int copies = 0; copies < redundancy.byCopies().size() - 1; copies++) {
                if (counts.test(copies)) {
                    records = FileStatistics.sum(records, redundancy.of(copies).records());
                    bytes += redundancy.of(copies).bytes();
                }
            }
        }
        gauges.put("Records" + what, records);
        gauges.put("Bytes" + what, bytes);
    }

    private void addMaintenance(Map<String, Long> gauges) {
        MaintenanceView known = maintenance.seen();
        long now = clock.now();
        long checked = known.lease().checkedMs();
        gauges.put("MaintenanceLeader", known.lease().isFree(now) ? 0L : 1L);
        gauges.put("MaintenanceRunning", known.running());
        gauges.put("MaintenanceFailing", (long) known.failed().size());
        gauges.put(
                "MaintenanceAgeSeconds",
                checked == 0 ? -1 : Math.max(0, TimeUnit.MILLISECONDS.toSeconds(now - checked)));
        addScrubs(gauges, known, now);
    }

    private static void addScrubs(Map<String, Long> gauges, MaintenanceView known, long nowMs) {
        List<ScrubSummary> scrubs = known.scrubs();
        gauges.put(
                "ScrubOldestSeconds",
                scrubs.stream()
                        .filter(scrub -> scrub.oldestMs() > 0)
                        .mapToLong(scrub -> Math.max(0, TimeUnit.MILLISECONDS.toSeconds(nowMs - scrub.oldestMs())))
                        .max()
                        .orElse(-1));
        gauges.put("ScrubFound", scrubs.stream().mapToLong(ScrubSummary::found).sum());
        gauges.put(
                "ScrubHealed", scrubs.stream().mapToLong(ScrubSummary::healed).sum());
        gauges.put("ScrubWrong", scrubs.stream().mapToLong(ScrubSummary::wrong).sum());
    }

    private void addFiles(Map<String, Long> gauges) {
        long files = 0;
        long bytes = 0;
        long records = 0;
        long differing = 0;
        for (DatasetRecord dataset : datasets.all()) {
            DatasetIndex index = indexes.known(dataset);
            if (index != null) {
                records = FileStatistics.sum(
                        records, index.group(dataset.defaultGroup()).content().count());
                differing += index.groups().values().stream()
                                        .map(GroupIndex::content)
                                        .distinct()
                                        .count()
                                > 1
                        ? 1
                        : 0;
                for (GroupIndex group : index.groups().values()) {
                    files += group.files();
                    bytes += group.bytes();
                }
            }
        }
        gauges.put("DifferingDatasets", differing);
        gauges.put("Files", files);
        gauges.put("Bytes", bytes);
        gauges.put("Records", records);
    }
}
