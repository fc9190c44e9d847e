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
package org.hadoopmpsr.namenode.commit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a rewrite, an acceptance, a delete, a rollback or an overwrite: the new files come in the place of those that it removes, and then the
 * records of the removed segments are changed, and those of the segments that a delete keeps are made. Each directory of the default group holds the same records before and after a rewrite.
 */
final class RewriteCompletion extends ExchangeCompletion {
    /** What the groups had of the removed segments, and when. */
    private final Map<String, Map<String, Segment.Group>> held = new HashMap<>();

    /** What the groups get of the segments that a delete keeps, or a rollback restores. */
    private final Map<String, Map<String, Segment.Group>> kept = new HashMap<>();

    private final Map<String, Long> times = new HashMap<>();
    private final List<Segment> segments = new ArrayList<>();

    RewriteCompletion(Shared parts, DatasetRecord dataset, String changeId) {
        super(parts, dataset, changeId);
    }

    @Override
    void add(String path, INodeFile file) {
        super.add(path, file);
        countKept(path.substring(0, path.indexOf('/')), StoredStatistics.header(file));
    }

    private void countKept(String group, @Nullable Header header) {
        if (header != null && KeptSegment.isOf(header.commitId(), changeId)) {
            count(kept, group, header);
        }
    }

    private static void count(Map<String, Map<String, Segment.Group>> sum, String group, Header header) {
        sum.computeIfAbsent(header.commitId(), s -> new HashMap<>())
                .merge(group, new Segment.Group(1, header.length(), header.content()), Segment.Group::plus);
    }

    @Override
    void remove(String group, GroupFile file) {
        super.remove(group, file);
        count(group, StoredStatistics.header(file.file()));
    }

    private void count(String group, @Nullable Header header) {
        if (header != null) {
            count(held, group, header);
            times.merge(header.commitId(), header.modificationTime(), Math::max);
        }
    }

    @Override
    Exchange exchange(CommitRecord change) {
        Set<String> removes = Set.copyOf(change.change().removes());
        Rebuild accepted = change.change().rebuild();
        Set<Long> accepts = accepted == null ? Set.of() : Set.copyOf(accepted.replaces());
        return new Exchange() {
            @Override
            public boolean concerns(String group) {
                return true;
            }

            @Override
            public boolean removes(String group, INodeFile file, @Nullable Header header) {
                countKept(group, header); // of a new file that is in its place
                return header != null && removes.contains(header.commitId()) || accepts.contains(file.getId());
            }

            @Override
            public void isOut(String group, @Nullable Header header) {
                count(group, header);
            }
        };
    }

    @Override
    void planRecords(Collection<Part> all, CommitRecord change) {
        List<String> removes = change.change().removes();
        boolean keeps = change.change().kind() == DatasetChange.Kind.DELETE;
        for (int i = 0; i < removes.size(); i++) {
            String id = keeps ? KeptSegment.id(changeId, i) : "";
            String segment = removes.get(i);
            all.add(new Part(2 * FEW, edits -> end(edits, segment, id, change)));
        }
        if (change.change().kind() == DatasetChange.Kind.ROLLBACK) {
            planRestored(all, change);
        }
        if (change.change().rebuild() != null) { // the index may know files that were deleted
            all.add(new Part(0, edits -> {
                parts.indexes().forget(dataset.id());
                return true;
            }));
        }
    }

    private void planRestored(Collection<Part> all, CommitRecord change) {
        List<String> restores = change.change().restores();
        for (int i = 0; i < restores.size(); i++) {
            String id = KeptSegment.id(changeId, i);
            String segment = restores.get(i);
            all.add(new Part(FEW, edits -> restore(edits, segment, id, change)));
        }
        // also if nothing was moved out: its absence tells that an older MPSR has deleted what changes replaced
        String replaced = parts.layout().replacedDir(dataset.id(), changeId);
        all.add(new Part(FEW, edits -> {
            edits.mkdirs(replaced, NamespaceEdits.Access.own());
            return true;
        }));
    }

    /** Makes the record of a segment that brings the records of a removed one back. */
    private boolean restore(NamespaceEdits edits, String id, String restoredId, CommitRecord change)
            throws IOException {
        Segment record = parts.segments().get(dataset, id); // none if it was purged in this moment
        long now = parts.system().clock().now();
        Map<String, Segment.Group> groups = kept.getOrDefault(restoredId, Map.of());
        List<Segment> origin = record == null ? List.of() : List.of(record);
        parts.segments().put(edits, dataset, Segment.merged(restoredId, change.sequence(), now, groups, origin));
        return true;
    }

    /**
     * Ends a removed segment.
     *
     * @param keptId the id of the segment that has the records which stay, if a delete keeps some
     */
    private boolean end(NamespaceEdits edits, String id, String keptId, CommitRecord change) throws IOException {
        Segment record = parts.segments().get(dataset, id);
        Segment segment = record == null
                ? Segment.uncounted(id, times.getOrDefault(id, 0L), held.getOrDefault(id, Map.of()))
                : record;
        segments.add(segment);
        Map<String, Segment.Group> stays = kept.get(keptId);
        if (stays != null) {
            long now = parts.system().clock().now();
            parts.segments()
                    .put(edits, dataset, Segment.merged(keptId, change.sequence(), now, stays, List.of(segment)));
        }
        parts.segments().put(edits, dataset, segment.removed(change.sequence(), changeId));
        return true;
    }

    @Override
    Segment segment(CommitRecord change) {
        long now = parts.system().clock().now();
        return change.change().kind() == DatasetChange.Kind.OVERWRITE // its records came with it
                ? Segment.appended(changeId, change.sequence(), now, List.of(), change.groups())
                : Segment.merged(changeId, change.sequence(), now, change.groups(), segments);
    }
}
