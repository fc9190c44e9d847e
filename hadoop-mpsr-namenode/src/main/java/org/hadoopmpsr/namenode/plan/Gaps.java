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
package org.hadoopmpsr.namenode.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.files.MissingSegments;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.OrdinaryChanges;
import org.hadoopmpsr.namenode.index.Verification;

/**
 * The segments that groups turn out to be unable to serve while a plan is made: each has a file that the plan needs and that
 * cannot be read, or is on slow DataNodes, or lacks records. A file that the plan does not need makes no gap. For one thread.
 */
final class Gaps {
    private final Map<String, Verification.Look> damaged;
    private final Map<String, Map<Kind, Gap>> byGroup = new HashMap<>();

    /** What is wrong with a file. */
    enum Kind {
        /** It was changed, is gone, or others of its segment are. */
        DAMAGED,
        /** Somebody has deleted records of it from the default group. */
        DELETED,
        /** It has a block without a live replica. */
        LOST,
        /** It has a block on DataNodes that were not heard of for a while, and no other replica of the block. */
        SILENT,
        /** It has a block on DataNodes that HDFS reports as slow, and no other replica of the block. */
        SLOW
    }

    private static final class Gap {
        private final Set<String> segments = new HashSet<>();
        private final Set<Long> files = new HashSet<>();
    }

    /**
     * What is known before anything is planned.
     *
     * @param damaged the groups of which some files or segments are damaged
     * @param ordinary what ordinary writers have changed in the default group
     */
    Gaps(Map<String, Verification.Look> damaged, DatasetRecord dataset, OrdinaryChanges ordinary) {
        this.damaged = damaged;
        if (!ordinary.segments().isEmpty()) {
            for (String group : dataset.groups().names()) {
                if (!group.equals(dataset.defaultGroup())) {
                    gap(group, Kind.DELETED).segments.addAll(ordinary.segments());
                }
            }
        }
        damaged.forEach((group, look) -> {
            Set<String> incomplete = look.incompleteSegments();
            if (incomplete != null && !incomplete.isEmpty()) {
                // what is missing of them is not known, so any filter may need it
                gap(group, Kind.DAMAGED).segments.addAll(incomplete);
            }
        });
    }

    /** True if the file was changed after it was published, or is gone, or if others of its segment are. */
    boolean isDamaged(String group, DataFile file) {
        Verification.Look look = damaged.get(group);
        return look != null && look.isDamaged(file);
    }

    void add(String group, DataFile file, Kind kind) {
        Gap gap = gap(group, kind);
        gap.segments.add(file.statistics().commitId());
        gap.files.add(file.fileId());
    }

    private Gap gap(String group, Kind kind) {
        return byGroup.computeIfAbsent(group, g -> new EnumMap<>(Kind.class)).computeIfAbsent(kind, k -> new Gap());
    }

    /** Takes files on silent DataNodes for readable again; false if there are none. */
    boolean forgetSilent() {
        boolean any = false;
        for (Map<Kind, Gap> gaps : byGroup.values()) {
            any |= gaps.remove(Kind.SILENT) != null;
        }
        return any;
    }

    /** What the group cannot serve, as far as is known yet. */
    MissingSegments of(String group) {
        Set<String> segments = new HashSet<>();
        List<String> reasons = new ArrayList<>();
        byGroup.getOrDefault(group, Map.of()).forEach((kind, gap) -> {
            segments.addAll(gap.segments);
            reasons.add(reason(group, kind, gap.files.size()));
        });
        return segments.isEmpty() ? MissingSegments.NONE : new MissingSegments(segments, String.join("; ", reasons));
    }

    private String reason(String group, Kind kind, int files) {
        Verification.Look look = damaged.get(group);
        return switch (kind) {
            case DAMAGED -> look == null ? "" : look.problem();
            case DELETED -> "records were deleted from the default group";
            case LOST -> "degraded: " + files + " files without a live replica";
            case SILENT -> files + " files on DataNodes that were not heard of for a while";
            case SLOW -> files + " files on DataNodes that HDFS reports as slow";
        };
    }
}
