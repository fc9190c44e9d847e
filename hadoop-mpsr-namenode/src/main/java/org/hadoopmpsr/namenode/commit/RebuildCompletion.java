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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a rebuild: in one group the new files come in the place of damaged ones, and then the records of the segments
 * say what the group holds.
 */
final class RebuildCompletion extends ExchangeCompletion {
    /** What the group keeps of the segments, without the new files that are still to be moved. */
    private final Map<String, Segment.Group> kept = new HashMap<>();
    /** True if the index may know files that are not there, or not know what was moved. */
    private boolean forgets;

    RebuildCompletion(Shared parts, DatasetRecord dataset, String changeId) {
        super(parts, dataset, changeId);
    }

    /** Adds a file of the segments that stays. */
    void keep(Header header) {
        count(kept, header);
    }

    private static void count(Map<String, Segment.Group> sum, Header header) {
        sum.merge(header.commitId(), new Segment.Group(1, header.length(), header.content()), Segment.Group::plus);
    }

    /** The index of the dataset has files that are not there any more. */
    void forgetIndex() {
        forgets = true;
    }

    @Override
    Exchange exchange(CommitRecord change) {
        forgets = true;
        Rebuild rebuild = rebuild(change);
        Set<String> segments = Set.copyOf(rebuild.segments());
        Set<Long> replaces = Set.copyOf(rebuild.replaces());
        return new Exchange() {
            @Override
            public boolean concerns(String group) {
                return group.equals(rebuild.group());
            }

            @Override
            public boolean removes(String group, INodeFile file, @Nullable Header header) {
                boolean removed = replaces.contains(file.getId());
                if (!removed && header != null && segments.contains(header.commitId())) {
                    keep(header);
                }
                return removed;
            }

            @Override
            public void isOut(String group, @Nullable Header header) {
                // what the group holds is counted
            }
        };
    }

    private static Rebuild rebuild(CommitRecord change) {
        Rebuild rebuild = change.change().rebuild();
        if (rebuild == null) {
            throw new IllegalStateException("change " + change.id() + " rebuilds nothing");
        }
        return rebuild;
    }

    /** The directory of replaced files is made also if there are none: it tells for a while what the change was. */
    @Override
    void plan(Collection<Part> all, CommitRecord change) throws IOException {
        String replaced = parts.layout().replacedDir(dataset.id(), changeId);
        all.add(new Part(FEW, edits -> {
            edits.mkdirs(replaced, NamespaceEdits.Access.own());
            return true;
        }));
        super.plan(all, change);
    }

    @Override
    void planRecords(Collection<Part> all, CommitRecord change) {
        Rebuild rebuild = rebuild(change);
        Map<String, Segment.Group> now = new HashMap<>(kept);
        for (List<INodeFile> files : newFiles(rebuild.group()).values()) {
            for (INodeFile file : files) {
                Header header = StoredStatistics.header(file);
                if (header != null) {
                    count(now, header);
                }
            }
        }
        for (String segment : rebuild.segments()) {
            all.add(new Part(
                    FEW,
                    edits -> record(edits, segment, rebuild.group(), now.getOrDefault(segment, Segment.Group.EMPTY))));
        }
        if (forgets) {
            all.add(new Part(0, edits -> {
                parts.indexes().forget(dataset.id());
                return true;
            }));
        }
    }

    /** Has the record of a segment, if there is one, say what the group holds. */
    private boolean record(NamespaceEdits edits, String id, String group, Segment.Group now) throws IOException {
        Segment record = parts.segments().get(dataset, id);
        if (record != null) {
            Map<String, Segment.Group> groups = new HashMap<>(record.groups());
            groups.put(group, now);
            parts.segments().put(edits, dataset, record.holding(groups));
        }
        return true;
    }

    @Override
    Segment segment(CommitRecord change) {
        throw new IllegalStateException("a rebuild makes no segment");
    }
}
