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
package org.hadoopmpsr.core.commit;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change of a dataset. An append, a rewrite and an acceptance add one segment, whose id is that of the change; the
 * latter two remove others. A delete removes segments, and adds one for each of which records stay ({@link KeptSegment}). They happen
 * in all groups or in none. A rebuild changes files of one group, and no segment. Immutable.
 *
 * @param sources the offsets that the records come from; none if it is not an append
 * @param removes the ids of the segments that the new one replaces; or that a delete removes; none of an append and of a rebuild
 * @param rebuild what a rebuild writes anew; of an acceptance the group whose files are accepted, the removed segments, and all
 *     files that the group has of them and all others that nobody published. Null if it is neither
 */
public record DatasetChange(
        String id,
        Kind kind,
        List<CommitSource> sources,
        List<String> removes,
        @Nullable Rebuild rebuild) {
    public DatasetChange {
        sources = List.copyOf(sources);
        removes = List.copyOf(removes);
    }

    /** What a change does. */
    public enum Kind {
        /** Adds records from sources. The sources decide whether it may happen, see {@link Fence}. */
        APPEND,
        /**
         * Writes the records of segments anew. It may happen while these segments are current and unchanged, see {@link
         * SegmentGuard}, and only with equal records, or without some whose key another record has, see {@link
         * ContentRule}.
         */
        REWRITE,
        /** Writes files of segments in one group anew. The group then holds the segments' records, and no others. */
        REBUILD,
        /**
         * Takes what somebody has made of segments by hand in one group for their records, and writes it in every group. It
         * may happen while these segments are current and the group's files are as the job has read them. The records may be
         * others than before: whoever owns the dataset has said so.
         */
        ACCEPT,
        /**
         * Takes records away, in every group the same ones. It may happen while the segments that hold them are current and
         * unchanged, see {@link SegmentGuard}, and only if what stays and what goes are together what the segments held, see
         * {@link DeleteRule}.
         */
        DELETE,
        /**
         * Takes files that ordinary writers have put into the default group for a segment, and writes its records in the other
         * groups. The files stay in their places. It may happen while they are as the job has read them.
         */
        ADOPT
    }

    /** A commit of a sink. */
    public static DatasetChange append(String id, List<CommitSource> sources) {
        return new DatasetChange(id, Kind.APPEND, sources, List.of(), null);
    }

    /** The same records in other files. */
    public static DatasetChange rewrite(String id, List<String> removes) {
        return new DatasetChange(id, Kind.REWRITE, List.of(), removes, null);
    }

    /** Files of segments in one group. */
    public static DatasetChange rebuild(String id, Rebuild rebuild) {
        return new DatasetChange(id, Kind.REBUILD, List.of(), List.of(), rebuild);
    }

    /** What somebody has made of segments. */
    public static DatasetChange accept(String id, Rebuild accepted) {
        return new DatasetChange(id, Kind.ACCEPT, List.of(), accepted.segments(), accepted);
    }

    /** Without some of the records. */
    public static DatasetChange delete(String id, List<String> removes) {
        return new DatasetChange(id, Kind.DELETE, List.of(), removes, null);
    }

    /** True if all new files are of one segment, which has the change's id. */
    public boolean makesOneSegment() {
        return kind != Kind.REBUILD && kind != Kind.DELETE;
    }

    /**
     * What ordinary writers have put into the default group.
     *
     * @param adopted the default group and the files; no segment
     */
    public static DatasetChange adopt(String id, Rebuild adopted) {
        return new DatasetChange(id, Kind.ADOPT, List.of(), List.of(), adopted);
    }

    /** Why no dataset can have this change; empty if one can. */
    public Optional<String> problem() {
        if (rebuild != null && kind != Kind.REBUILD && kind != Kind.ACCEPT && kind != Kind.ADOPT) {
            return Optional.of("it names files to rebuild; only a rebuild has them");
        }
        return switch (kind) {
            case APPEND -> problemOfAppend();
            case REWRITE -> problemOfRewrite();
            case REBUILD -> problemOfRebuild();
            case ACCEPT -> problemOfAcceptance();
            case DELETE -> problemOfDelete();
            case ADOPT -> problemOfAdoption();
        };
    }

    private Optional<String> problemOfRebuild() {
        if (!sources.isEmpty() || !removes.isEmpty()) {
            return Optional.of("it rebuilds segments, and names "
                    + (sources.isEmpty() ? "segments to remove; only a rewrite removes segments" : "sources"));
        }
        return rebuild == null ? Optional.of("it names no group to rebuild") : rebuild.problem(id);
    }

    private Optional<String> problemOfAcceptance() {
        if (rebuild == null || !rebuild.segments().equals(removes)) {
            return Optional.of("it accepts files, and does not name their group and the segments that they belong to");
        }
        Optional<String> problem = rebuild.problem();
        return problem.isPresent() ? problem : problemOfRewrite();
    }

    private Optional<String> problemOfDelete() {
        if (!id.startsWith(KeptSegment.ID_PREFIX)
                || !KeptSegment.changeOf(id).equals(id)
                || !CommitId.isValid(KeptSegment.id(id, removes.size()))) {
            return Optional.of("the id of a delete must start with '" + KeptSegment.ID_PREFIX
                    + "', not end with a dot and a number, and leave room for them");
        }
        return problemOfRewrite();
    }

    private Optional<String> problemOfAdoption() {
        if (!sources.isEmpty() || !removes.isEmpty()) {
            return Optional.of("it adopts files, and names "
                    + (sources.isEmpty() ? "segments to remove; only a rewrite removes segments" : "sources"));
        }
        if (rebuild == null
                || rebuild.replaces().isEmpty()
                || !rebuild.segments().isEmpty()) {
            return Optional.of("it adopts files, and does not name the default group and the files, and no segment");
        }
        return rebuild.problemOfFiles();
    }

    private Optional<String> problemOfAppend() {
        if (!removes.isEmpty()) {
            return Optional.of("it appends records and names segments to remove; only a rewrite removes segments");
        }
        if (sources.isEmpty()) {
            return Optional.of(
                    "it names no source; name the topic-partitions and offsets that it holds, so that it cannot be"
                            + " published twice");
        }
        Set<String> partitions = new HashSet<>();
        for (CommitSource source : sources) {
            if (!partitions.add(source.partition() + "/" + source.topic())) {
                return Optional.of("it names partition " + source.partition() + " of topic '" + source.topic()
                        + "' twice; name one range of offsets for each topic-partition");
            }
        }
        return Optional.empty();
    }

    private Optional<String> problemOfRewrite() {
        if (!sources.isEmpty()) {
            return Optional.of("it rewrites segments and names sources; their offsets are committed already");
        }
        if (removes.isEmpty()) {
            return Optional.of("it names no segment to remove; name the segments whose records it holds");
        }
        Set<String> named = new HashSet<>();
        for (String segment : removes) {
            if (!CommitId.isValid(segment)) {
                return Optional.of("it removes '" + segment + "', which cannot be the id of a segment");
            }
            if (segment.equals(id)) {
                return Optional.of("it removes the segment that it makes; choose an id that no segment has");
            }
            if (!named.add(segment)) {
                return Optional.of("it removes segment '" + segment + "' twice");
            }
        }
        return Optional.empty();
    }
}
