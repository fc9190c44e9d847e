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
package org.hadoopmpsr.namenode.elastic;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.alloc.Throttle;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.elastic.ElasticFile;
import org.hadoopmpsr.core.elastic.ElasticPlan;
import org.hadoopmpsr.core.elastic.ElasticPlan.Change;
import org.hadoopmpsr.core.elastic.ElasticSettings;
import org.hadoopmpsr.core.elastic.FileHeat;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.health.FileHealth;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.hadoopmpsr.namenode.nodes.CopyBounds;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;

/**
 * Gives published files that are read much further copies, as {@link ElasticPlan} decides. All that is kept is the number of copies
 * that HDFS has of each file: a file with more than its group's number has further copies. {@link #adjust} is for one thread.
 *
 * <p>The counts of reads are in memory and begin anew with the process. A NameNode that has become active counts the files that have
 * further copies as if they were read just enough for these, so that they lose them when nobody reads them for a half-life.
 */
public final class FurtherCopies {
    /** Of so many files it is known how often they are read. */
    public static final int MOST_FILES = 20_000;

    private static final String OPERATION = "mpsrSetReplication";

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final ElasticSettings settings;
    private final int intervalSeconds;
    private final Datasets datasets;
    private final Health health;
    private final Readiness readiness;
    private final Allocation allocation;
    private final ElasticFiles files;
    private final SpaceOfFiles space;
    private final DatasetQuotas quotas;
    private final FileHeat heat;
    private final Counters counters;
    private final Throttle throttle;
    private volatile FurtherCopiesView view;
    private Set<Long> raised = Set.of();
    private long transition = Long.MIN_VALUE;

    public FurtherCopies(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            Datasets datasets,
            Indexes indexes,
            Health health,
            Readiness readiness,
            Allocation allocation,
            BlockGroups groups,
            CopyBounds bounds,
            DatasetQuotas quotas,
            FileHeat heat,
            Counters counters) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.settings = config.elastic();
        this.intervalSeconds = config.healthIntervalSeconds();
        this.datasets = datasets;
        this.health = health;
        this.readiness = readiness;
        this.allocation = allocation;
        this.files = new ElasticFiles(system, layout, config, datasets, groups, bounds);
        this.space = new SpaceOfFiles(config, datasets, indexes);
        this.quotas = quotas;
        this.heat = heat;
        this.counters = counters;
        this.throttle = new Throttle(settings.bytesPerSecond(), system.clock().monotonicNowNanos());
        this.view = FurtherCopiesView.none(settings.budgetPercent());
    }

    /** What there was at the last look. Thread-safe. */
    public FurtherCopiesView view() {
        return view;
    }

    /** Looks and decides anew, after {@link Health} has looked. No effect while nodes move between groups, or nothing is to be written. */
    public void adjust() throws IOException {
        boolean mayWork = readiness.isReady()
                && !system.safeMode().isOn()
                && allocation.isCurrent()
                && allocation.moves().isEmpty();
        if (!mayWork) {
            return;
        }
        long nowMs = system.clock().now();
        Set<Long> found = found(nowMs);
        Set<Long> gone = new HashSet<>(raised);
        gone.removeAll(found);
        if (transition != system.ha().transition()) {
            gone.addAll(replaced());
        }
        lower(gone);
        raised = found; // also if the next step fails
        raised = settings.isOn() ? decide(found, nowMs) : found;
        transition = system.ha().transition();
    }

    /** The files that health has found with further copies. */
    private Set<Long> found(long nowMs) {
        Set<Long> found = new HashSet<>();
        boolean anew = transition != system.ha().transition();
        for (FileHealth.Look look : health.raised()) {
            for (FileHealth.Raised file : look.raised()) {
                found.add(file.id());
                if (anew) {
                    heat.atLeast(
                            file.id(),
                            (double) (file.copies() - look.replication()) * settings.queriesPerCopy(),
                            nowMs);
                }
            }
        }
        return found;
    }

    private Set<Long> decide(Set<Long> found, long nowMs) throws IOException {
        Set<Long> ids = new HashSet<>(found);
        ids.addAll(heat.hotter(settings.queriesPerCopy(), nowMs).keySet());
        List<ElasticFile> all = files.of(ids, heat, nowMs);
        long budget = settings.budgetBytes(space.bytes());
        ElasticPlan plan = ElasticPlan.of(all, settings.queriesPerCopy(), budget, copyBytes());
        int overQuota = apply(plan.changes());
        return look(ids, nowMs, plan, budget, overQuota);
    }

    private long copyBytes() {
        if (settings.bytesPerSecond() == 0) {
            return Long.MAX_VALUE;
        }
        return throttle.isOpen(system.clock().monotonicNowNanos()) ? settings.bytesPerSecond() * intervalSeconds : 0;
    }

    /** What is there after the changes. */
    private Set<Long> look(Set<Long> ids, long nowMs, ElasticPlan plan, long budget, int overQuota) throws IOException {
        Set<Long> with = new HashSet<>();
        long bytes = 0;
        long copies = 0;
        for (ElasticFile file : files.of(ids, heat, nowMs)) {
            int further = Math.max(0, file.now() - file.least());
            if (further > 0) {
                with.add(file.id());
            }
            copies += further;
            bytes += further * file.bytes();
        }
        view = new FurtherCopiesView(
                settings.budgetPercent(),
                budget,
                bytes,
                with.size(),
                copies,
                plan.waiting(),
                plan.refused() + (long) overQuota);
        return with;
    }

    /** @return how many files got no copies because of a quota */
    private int apply(List<Change> changes) throws IOException {
        int[] overQuota = new int[1];
        LockSteps.write(system, OPERATION, changes, (edits, part) -> {
            for (Change change : part) {
                overQuota[0] += apply(edits, change) ? 0 : 1;
            }
        });
        return overQuota[0];
    }

    /** @return false if a quota does not allow it */
    private boolean apply(NamespaceEdits edits, Change change) throws IOException {
        ElasticFiles.Place place = files.find(change.id());
        if (place == null || place.file().getFileReplication() != change.from()) {
            return true; // changed meanwhile, and looked at anew next time
        }
        int more = change.to() - change.from();
        try {
            if (more > 0) {
                quotas.checkCopies(place.dataset(), place.file(), more);
            }
            edits.setReplication(place.file().getFullPathName(), change.to());
        } catch (QuotaExceededException e) {
            return false;
        }
        if (more > 0) {
            counters.add(Counter.FURTHER_COPIES, more);
            throttle.begin(change.copied(), system.clock().monotonicNowNanos());
        } else {
            counters.add(Counter.COPIES_GIVEN_BACK, -more);
        }
        return true;
    }

    /** Files with further copies that were replaced: nobody finds them there any more. */
    private List<Long> replaced() throws IOException {
        List<Long> ids = new ArrayList<>();
        for (DatasetRecord dataset : datasets.all()) {
            namespace.walk(layout.replacedDir(dataset.id()), (path, file) -> {
                ids.add(file.getId());
                return true;
            });
        }
        return ids;
    }

    /** Takes all further copies from files. */
    private void lower(Set<Long> ids) throws IOException {
        List<Long> higher = new ArrayList<>();
        LockSteps.read(system, List.copyOf(ids), part -> {
            for (long id : part) {
                if (further(id) > 0) {
                    higher.add(id);
                }
            }
        });
        LockSteps.write(system, OPERATION, higher, (edits, part) -> {
            for (long id : part) {
                int further = further(id);
                INodeFile file = files.published(id);
                if (file != null && further > 0) {
                    edits.setReplication(file.getFullPathName(), file.getFileReplication() - further);
                    counters.add(Counter.COPIES_GIVEN_BACK, further);
                }
            }
        });
    }

    /** Needs the lock. */
    private int further(long id) {
        INodeFile file = files.published(id);
        return file == null
                ? 0
                : files.least(file)
                        .map(least -> file.getFileReplication() - least)
                        .orElse(0);
    }
}
