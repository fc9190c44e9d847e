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
package org.hadoopmpsr.core.rebuild;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.rebuild.RebuildPlan.Left;
import org.hadoopmpsr.core.rebuild.RebuildUnit.Part;

/**
 * Decides what is rebuilt, from which group, and what goes into one change: the most endangered segments first, and small
 * segments of one group that are in the same danger together. A change rebuilds all that is damaged of a segment in a
 * group.
 */
public final class RebuildPlanner {
    /** A group with more than so many times the bytes of another one is not read in its turn. */
    private static final double MUCH_MORE = 1.25;

    private final RebuildRules rules;
    private final RebuildTries tries;
    private final List<List<Part>> units = new ArrayList<>();
    private final List<Left> left = new ArrayList<>();
    private final Map<Class, List<Part>> open = new HashMap<>();
    /** What the plan reads of each group, in bytes. */
    private final Map<String, Long> read = new HashMap<>();

    /** Segments that may go into one change. */
    private record Class(int liveCopies, String group) {}

    private RebuildPlanner(RebuildRules rules, RebuildTries tries) {
        this.rules = rules;
        this.tries = tries;
    }

    /**
     * Makes the plan.
     *
     * @param damages in any order
     * @param tries what came of earlier plans of the same run
     */
    public static RebuildPlan plan(List<Damage> damages, RebuildRules rules, RebuildTries tries) {
        RebuildPlanner planner = new RebuildPlanner(rules, tries);
        damages.stream().sorted(Damage.ORDER).forEach(planner::add);
        return new RebuildPlan(planner.units.stream().map(RebuildUnit::new).toList(), planner.left);
    }

    private void add(Damage damage) {
        Optional<String> problem = problem(damage);
        if (problem.isPresent()) {
            left.add(new Left(damage, problem.get()));
            return;
        }
        Part part = new Part(damage, source(damage).orElseThrow());
        read.merge(part.source(), part.sourceBytes(), Long::sum);
        Class its = new Class(damage.liveCopies(), damage.group());
        List<Part> unit = open.get(its);
        if (unit == null || tries.isAlone(damage) || !fits(unit, part)) {
            unit = new ArrayList<>();
            units.add(unit);
            if (!tries.isAlone(damage)) {
                open.put(its, unit);
            }
        }
        unit.add(part);
    }

    private Optional<String> problem(Damage damage) {
        if (damage.sources().isEmpty()) {
            return Optional.of(
                    "no group holds all of it, so that " + damage.missing().count()
                            + " records have no live copy that is known; bring back a DataNode that has its files, or ingest"
                            + " the records again");
        }
        if (tries.problem(damage).isPresent() && source(damage).isEmpty()) {
            return tries.problem(damage);
        }
        if (damage.files().size() > rules.maxOldFiles() || newFiles(damage) > rules.maxNewFiles()) {
            return Optional.of("a change may write " + rules.maxNewFiles() + " files and replace "
                    + rules.maxOldFiles() + ", and " + damage.files().size() + " files are damaged; raise "
                    + ConfigKeys.MAX_COMMIT_FILES.name());
        }
        return Optional.empty();
    }

    /**
     * Of the groups that have not failed, the one with the least to read. Groups with little more come in turn, so that the disks
     * of all are read. Empty if all have failed.
     */
    private Optional<String> source(Damage damage) {
        List<Map.Entry<String, Segment.Group>> left = damage.sources().entrySet().stream()
                .filter(e -> !tries.hasFailed(damage, e.getKey()))
                .toList();
        long least = left.stream().mapToLong(e -> e.getValue().bytes()).min().orElse(0);
        return left.stream()
                .filter(e -> e.getValue().bytes() <= MUCH_MORE * least)
                .min(comparing((Map.Entry<String, Segment.Group> e) -> readWith(e.getKey(), e.getValue()))
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey);
    }

    private long readWith(String group, Segment.Group more) {
        return read.getOrDefault(group, 0L) + more.bytes();
    }

    private boolean fits(List<Part> unit, Part next) {
        long bytes = next.sourceBytes();
        long newFiles = newFiles(next.damage());
        long oldFiles = next.damage().files().size();
        for (Part part : unit) {
            bytes += part.sourceBytes();
            newFiles += newFiles(part.damage());
            oldFiles += part.damage().files().size();
        }
        return bytes <= rules.unitBytes() && newFiles <= rules.maxNewFiles() && oldFiles <= rules.maxOldFiles();
    }

    /** About how many files are written: one for each partition, and more where one has many bytes. */
    private long newFiles(Damage damage) {
        long partitions = damage.files().stream()
                .map(file -> file.file().statistics().partition())
                .distinct()
                .count();
        long bytes =
                damage.files().stream().mapToLong(file -> file.file().length()).sum();
        return partitions + bytes / rules.fileBytes();
    }
}
