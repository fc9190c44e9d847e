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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hadoopmpsr.core.commit.DatasetChange.Kind;
import org.jspecify.annotations.Nullable;

/** Tells why no dataset can have a change: what the change says of itself does not fit. */
final class ChangeProblem {
    private final String id;
    private final Kind kind;
    private final List<CommitSource> sources;
    private final List<String> removes;
    private final List<String> restores;
    private final List<String> madeOf;
    private final @Nullable Rebuild rebuild;

    private ChangeProblem(DatasetChange change) {
        this.id = change.id();
        this.kind = change.kind();
        this.sources = change.sources();
        this.removes = change.removes();
        this.restores = change.restores();
        this.madeOf = change.madeOf();
        this.rebuild = change.rebuild();
    }

    /** The problem; empty if there is none. */
    static Optional<String> of(DatasetChange change) {
        return new ChangeProblem(change).find();
    }

    private Optional<String> find() {
        if (rebuild != null && kind != Kind.REBUILD && kind != Kind.ACCEPT && kind != Kind.ADOPT) {
            return Optional.of("it names files to rebuild; only a rebuild has them");
        }
        if (!restores.isEmpty() && kind != Kind.ROLLBACK) {
            return Optional.of("it names segments to restore; only a rollback has them");
        }
        return switch (kind) {
            case APPEND -> problemOfAppend();
            case REWRITE -> problemOfRewrite();
            case REBUILD -> problemOfRebuild();
            case ACCEPT -> problemOfAcceptance();
            case DELETE -> problemOfDelete();
            case ADOPT -> problemOfAdoption();
            case ROLLBACK -> problemOfRollback();
            case OVERWRITE -> problemOfOverwrite();
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
        Optional<String> problem = problemOfId("a delete", KeptSegment.ID_PREFIX);
        return problem.isPresent() ? problem : problemOfRewrite();
    }

    private Optional<String> problemOfRollback() {
        if (removes.isEmpty() && restores.isEmpty()) {
            return Optional.of(
                    "it names no segment to remove and none to restore; name those that make the difference");
        }
        List<String> all = new ArrayList<>(removes);
        all.addAll(restores);
        Optional<String> problem = problemOfId("a rollback", KeptSegment.ROLLBACK_PREFIX);
        return problem.isPresent() ? problem : problemOfSegments(all);
    }

    private Optional<String> problemOfOverwrite() {
        return DatasetChange.isOverwrite(id)
                ? problemOfRewrite()
                : Optional.of("the id of an overwrite must start with '" + DatasetChange.OVERWRITE_PREFIX + "'");
    }

    private Optional<String> problemOfId(String what, String prefix) {
        return id.startsWith(prefix)
                        && KeptSegment.changeOf(id).equals(id)
                        && CommitId.isValid(KeptSegment.id(id, madeOf.size()))
                ? Optional.empty()
                : Optional.of("the id of " + what + " must start with '" + prefix
                        + "', not end with a dot and a number, and leave room for them");
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
        return problemOfSegments(removes);
    }

    private Optional<String> problemOfSegments(List<String> segments) {
        Set<String> named = new HashSet<>();
        for (String segment : segments) {
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
