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
package org.hadoopmpsr.namenode.history;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.history.UnknownStateException;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/**
 * Finds the files that a dataset had in an earlier state: those of the current segments that were there already, and those of removed
 * segments, which are kept for a while. Thread-safe.
 */
public final class PastStates {
    private final MpsrNamesystem system;
    private final Histories histories;
    private final PastFiles files;
    /** A query plans several times. No state whose files somebody else can give other meanings is kept. */
    private volatile SoftReference<Found> last = new SoftReference<>(null);

    public PastStates(MpsrNamesystem system, Histories histories, PastFiles files) {
        this.system = system;
        this.histories = histories;
        this.files = files;
    }

    private record Found(DatasetIndex now, PastState state) {}

    /**
     * A state. Takes the read lock in short holds; the caller makes sure that no change is published meanwhile.
     *
     * @param now the present index
     * @throws IOException if the state is not known, or not kept
     */
    public PastState at(DatasetRecord dataset, DatasetIndex now, AsOf wanted) throws IOException {
        Histories.Known known = histories.of(dataset);
        long sequence;
        try {
            sequence = known.resolve(wanted, system.clock().now());
        } catch (UnknownStateException e) {
            throw new IOException("cannot read " + dataset.path() + " as of " + wanted + ": " + e.getMessage());
        }
        Found found = last.get();
        if (found != null
                && found.now == now
                && found.state.sequence() == sequence
                && found.state.last() == known.history().last()) {
            return found.state;
        }
        return find(dataset, now, known, sequence);
    }

    private PastState find(DatasetRecord dataset, DatasetIndex now, Histories.Known known, long sequence)
            throws IOException {
        Set<String> later = new HashSet<>();
        Map<String, Segment> removed = new HashMap<>();
        for (Segment segment : known.segments()) {
            if (segment.since() > sequence) {
                later.add(segment.id());
            } else if (!segment.isCurrent() && sequence < segment.until()) {
                removed.put(segment.id(), segment);
            }
        }
        Map<String, List<GroupFile>> gone = later.isEmpty() ? Map.of() : ofSegments(now, later);
        Map<String, List<GroupFile>> back = removed.isEmpty() ? Map.of() : files.of(dataset, removed);
        Map<String, Set<String>> incomplete = incomplete(dataset, removed, back);
        PastState state =
                new PastState(now.past(gone, back), sequence, known.history().last(), incomplete);
        boolean own = back.values().stream().flatMap(List::stream).allMatch(file -> PastFiles.isOwnName(file.file()));
        if (own) {
            last = new SoftReference<>(new Found(now, state));
        }
        return state;
    }

    private static Map<String, List<GroupFile>> ofSegments(DatasetIndex index, Set<String> segments) {
        Map<String, List<GroupFile>> files = new HashMap<>();
        index.groups()
                .forEach((group, its) -> its.each((file, header) -> {
                    if (segments.contains(header.commitId())) {
                        files.computeIfAbsent(group, g -> new ArrayList<>()).add(file);
                    }
                }));
        return files;
    }

    /** Compares what is found of removed segments with what was published. */
    private static Map<String, Set<String>> incomplete(
            DatasetRecord dataset, Map<String, Segment> removed, Map<String, List<GroupFile>> back) {
        Map<String, Set<String>> incomplete = new HashMap<>();
        for (String group : dataset.groups().names()) {
            Map<String, Segment.Group> held = new HashMap<>();
            for (GroupFile file : back.getOrDefault(group, List.of())) {
                Header header = StoredStatistics.header(file.file());
                if (header != null) {
                    held.merge(
                            header.commitId(),
                            new Segment.Group(1, header.length(), header.content()),
                            Segment.Group::plus);
                }
            }
            for (Segment segment : removed.values()) {
                if (!isWhole(segment, group, held.getOrDefault(segment.id(), Segment.Group.EMPTY))) {
                    incomplete.computeIfAbsent(group, g -> new HashSet<>()).add(segment.id());
                }
            }
        }
        return incomplete;
    }

    private static boolean isWhole(Segment segment, String group, Segment.Group held) {
        return segment.isWholeIn(group)
                && segment.groups().getOrDefault(group, Segment.Group.EMPTY).equals(held);
    }
}
