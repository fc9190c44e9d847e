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

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of a dataset. An append, a rewrite, an acceptance and an overwrite add one segment, whose id is that of the change; the
 * latter three remove others. A delete removes segments, and adds one for each of which records stay; a rollback removes segments, and
 * adds one for each that it restores ({@link KeptSegment}). They happen in all groups or in none. A rebuild changes files of one group, and no segment. Immutable.
 *
 * @param sources the offsets that the records come from; none if it is not an append
 * @param removes the ids of the segments that the new one replaces; or that a delete or a rollback removes; none of an append and of a
 *     rebuild
 * @param rebuild what a rebuild writes anew; of an acceptance the group whose files are accepted, the removed segments, and all
 *     files that the group has of them and all others that nobody published. Null if it is neither
 * @param restores the ids of the removed segments whose records a rollback brings back; none of others
 */
public record DatasetChange(
        String id,
        Kind kind,
        List<CommitSource> sources,
        List<String> removes,
        @Nullable Rebuild rebuild,
        List<String> restores) {
    /** The id of an overwrite starts with this. */
    public static final String OVERWRITE_PREFIX = "overwrite-";

    public DatasetChange {
        sources = List.copyOf(sources);
        removes = List.copyOf(removes);
        restores = List.copyOf(restores);
    }

    /** A change that restores nothing. */
    public DatasetChange(
            String id, Kind kind, List<CommitSource> sources, List<String> removes, @Nullable Rebuild rebuild) {
        this(id, kind, sources, removes, rebuild, List.of());
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
        ADOPT,
        /**
         * Brings an earlier state back: removes current segments that the state did not have, and writes the records of segments
         * that it had, and that other changes have removed since, as new segments. It may happen while the former are current and
         * unchanged, see {@link SegmentGuard}, and only with all records of the latter, see {@link RollbackRule}.
         */
        ROLLBACK,
        /**
         * Takes segments away and adds other records in their place, in every group. It may happen while these segments are current and
         * unchanged, see {@link SegmentGuard}.
         */
        OVERWRITE
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

    /** An earlier state. */
    public static DatasetChange rollback(String id, List<String> removes, List<String> restores) {
        return new DatasetChange(id, Kind.ROLLBACK, List.of(), removes, null, restores);
    }

    /** Other records in the place of segments. */
    public static DatasetChange overwrite(String id, List<String> removes) {
        return new DatasetChange(id, Kind.OVERWRITE, List.of(), removes, null);
    }

    /** True if a change is an overwrite, by its id: names of files and directories tell that nothing was merged. */
    public static boolean isOverwrite(String change) {
        return change.startsWith(OVERWRITE_PREFIX);
    }

    /** True if all new files are of one segment, which has the change's id. */
    public boolean makesOneSegment() {
        return kind != Kind.REBUILD && !makesSegmentsOfOthers();
    }

    /** True if the new files are of segments that each stand for another one ({@link #madeOf}). */
    public boolean makesSegmentsOfOthers() {
        return kind == Kind.DELETE || kind == Kind.ROLLBACK;
    }

    /**
     * The segments for each of which the change may make one, whose id tells the place here ({@link KeptSegment#id}): of a delete those
     * that it removes, of a rollback those that it restores.
     */
    public List<String> madeOf() {
        return kind == Kind.ROLLBACK ? restores : kind == Kind.DELETE ? removes : List.of();
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
        return ChangeProblem.of(this);
    }
}
