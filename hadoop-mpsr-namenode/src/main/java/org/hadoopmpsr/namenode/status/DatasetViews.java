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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.namenode.damage.Damaged;
import org.hadoopmpsr.namenode.damage.Redundancy;
import org.hadoopmpsr.namenode.dataset.CommitLog;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.health.RepresentationHealth;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.PartitionIndex;
import org.hadoopmpsr.namenode.status.MpsrInfoMXBean.Commit;
import org.hadoopmpsr.namenode.status.MpsrInfoMXBean.Dataset;
import org.hadoopmpsr.namenode.status.MpsrInfoMXBean.LiveCopies;
import org.hadoopmpsr.namenode.status.MpsrInfoMXBean.Offset;
import org.hadoopmpsr.namenode.status.MpsrInfoMXBean.Representation;

/**
 * The datasets for operators, without a check of permissions: only counts, names and commits. Builds no index. Visits
 * the files of a dataset once after each publish, with the read lock. Thread-safe.
 */
public final class DatasetViews {
    private static final int COMMITS = 10;

    private final Datasets datasets;
    private final Indexes indexes;
    private final Offsets offsets;
    private final Health health;
    private final Damaged damaged;
    private final RebuildViews rebuilds;
    private final CommitLog log;
    private final Map<String, CommitHistory> byId = new ConcurrentHashMap<>();

    public DatasetViews(
            Datasets datasets,
            Indexes indexes,
            Offsets offsets,
            Health health,
            Damaged damaged,
            RebuildViews rebuilds,
            CommitLog log) {
        this.datasets = datasets;
        this.indexes = indexes;
        this.offsets = offsets;
        this.health = health;
        this.damaged = damaged;
        this.rebuilds = rebuilds;
        this.log = log;
    }

    /** The data that changes only with a publish. */
    private record CommitHistory(DatasetIndex index, List<Commit> commits, List<Offset> offsets) {}

    /** All datasets, by path. */
    List<Dataset> all() throws IOException {
        List<Dataset> all = new ArrayList<>();
        List<DatasetRecord> records = List.copyOf(datasets.all());
        byId.keySet().retainAll(records.stream().map(DatasetRecord::id).toList());
        for (DatasetRecord dataset : records) {
            DatasetIndex index = indexes.known(dataset);
            CommitHistory history = index == null
                    ? new CommitHistory(DatasetIndex.empty(dataset.path(), dataset.schema()), List.of(), List.of())
                    : history(dataset, index);
            all.add(new Dataset(
                    dataset.path(),
                    dataset.id(),
                    dataset.defaultGroup(),
                    dataset.groups().names().stream()
                            .map(group -> representation(
                                    dataset, group, history.index().group(group)))
                            .toList(),
                    liveCopies(dataset),
                    rebuilds.of(dataset).stream().map(RebuildStatus::view).toList(),
                    history.commits(),
                    history.offsets()));
        }
        return all;
    }

    private List<LiveCopies> liveCopies(DatasetRecord dataset) {
        List<LiveCopies> all = new ArrayList<>();
        damaged.redundancy(dataset).ifPresent(redundancy -> {
            for (int copies = redundancy.byCopies().size() - 1; copies >= 0; copies--) {
                Redundancy.Amount amount = redundancy.of(copies);
                all.add(new LiveCopies(copies, amount.records(), amount.bytes()));
            }
        });
        return all;
    }

    private Representation representation(DatasetRecord dataset, String group, GroupIndex files) {
        return health.of(dataset, group)
                .map(f -> representation(files, f, healthOf(f)))
                .orElseGet(() -> representation(files, RepresentationHealth.none(dataset.path(), group), "unknown"));
    }

    private static String healthOf(RepresentationHealth found) {
        if (!found.problem().isEmpty()) {
            return "diverged";
        }
        return found.degradedFiles() > 0 ? "degraded" : "ok";
    }

    private static Representation representation(GroupIndex files, RepresentationHealth found, String health) {
        return new Representation(
                found.group(),
                health,
                files.files(),
                files.content().count(),
                files.bytes(),
                found.degradedFiles(),
                found.untrackedFiles(),
                found.problem().isEmpty() ? found.added() : found.problem());
    }

    private CommitHistory history(DatasetRecord dataset, DatasetIndex index) throws IOException {
        CommitHistory last = byId.get(dataset.id());
        if (last == null || last.index() != index) {
            List<CommittedOffset> ends = offsets.of(dataset);
            last = new CommitHistory(
                    index,
                    commits(dataset, index, ends),
                    ends.stream()
                            .sorted(Comparator.comparing(CommittedOffset::topic)
                                    .thenComparing(CommittedOffset::partition))
                            .map(o -> new Offset(o.topic(), o.partition(), o.end(), o.commitId()))
                            .toList());
            byId.put(dataset.id(), last);
        }
        return last;
    }

    private List<Commit> commits(DatasetRecord dataset, DatasetIndex index, List<CommittedOffset> ends) {
        Map<String, Long> times = new HashMap<>();
        Map<String, Long> files = new HashMap<>();
        for (GroupIndex group : index.groups().values()) {
            group.partitions().stream().flatMap(PartitionIndex::headers).forEach(file -> {
                times.merge(file.commitId(), file.modificationTime(), Math::max);
                files.merge(file.commitId(), 1L, Long::sum);
            });
        }
        Map<String, Long> records = new HashMap<>();
        index.group(dataset.defaultGroup()).partitions().stream()
                .flatMap(PartitionIndex::headers)
                .forEach(file -> records.merge(file.commitId(), file.content().count(), Long::sum));
        times.replaceAll((id, closed) ->
                log.get(dataset.id(), id).map(CommitLog.Entry::timeMs).orElse(closed));
        Comparator<Map.Entry<String, Long>> byTime = Map.Entry.comparingByValue();
        return times.entrySet().stream()
                .sorted(byTime.reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(COMMITS)
                .map(commit -> new Commit(
                        commit.getKey(),
                        sources(dataset, commit.getKey(), ends),
                        commit.getValue(),
                        files.getOrDefault(commit.getKey(), 0L),
                        records.getOrDefault(commit.getKey(), 0L)))
                .toList();
    }

    private List<String> sources(DatasetRecord dataset, String commitId, List<CommittedOffset> ends) {
        return log.get(dataset.id(), commitId)
                .map(entry -> entry.sources().stream().map(CommitSource::text).toList())
                .orElseGet(() -> ends.stream()
                        .filter(o -> o.commitId().equals(commitId))
                        .map(o -> o.topic() + "-" + o.partition() + "-…-" + o.end())
                        .toList());
    }
}
