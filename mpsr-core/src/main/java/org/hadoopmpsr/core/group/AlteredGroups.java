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
package org.hadoopmpsr.core.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The rules for altering the groups of a dataset. Each throws {@link IllegalArgumentException} with the problem, the cause
 * and the remedy where the alteration makes no sense.
 */
public final class AlteredGroups {
    private AlteredGroups() {}

    /**
     * A representation in a replica group in which the dataset has none.
     *
     * @param configured the replica groups of the cluster
     * @param now the representations of the dataset, also incomplete ones
     * @param dropped the names of representations that the dataset had before
     */
    public static ReplicaGroup added(
            ReplicaGroups configured, ReplicaGroups now, Collection<String> dropped, WantedGroup wanted) {
        ReplicaGroup like = configured(configured, wanted.group());
        List<String> there = in(now, wanted.group());
        if (!there.isEmpty()) {
            throw new IllegalArgumentException("the dataset has the representation '" + String.join("', '", there)
                    + "' in replica group '" + wanted.group() + "' already; alter that with set-group");
        }
        return wanted.like(like, next(wanted, now, dropped));
    }

    /**
     * The groups of a new dataset: those of the cluster, some of them in another way. The default group may be among these, because nobody
     * knows its files yet.
     */
    public static ReplicaGroups ofNew(ReplicaGroups configured, Collection<WantedGroup> wanted) {
        List<ReplicaGroup> groups = new ArrayList<>(configured.groups());
        Set<String> named = new HashSet<>();
        for (WantedGroup wish : wanted) {
            ReplicaGroup like = configured(configured, wish.group());
            if (!named.add(wish.group())) {
                throw new IllegalArgumentException(
                        "group '" + wish.group() + "' is named twice; say once how it is partitioned");
            }
            namedTwice(wish.predicates().stream().map(Predicate::column).toList())
                    .ifPresent(column -> {
                        throw new IllegalArgumentException("two predicates of group '" + wish.group()
                                + "' name column '" + ColumnPath.shown(column) + "'; name it in one");
                    });
            groups.set(groups.indexOf(like), wish.like(like, like.name()));
        }
        return new ReplicaGroups(groups, configured.defaultName());
    }

    private static String next(WantedGroup wanted, ReplicaGroups now, Collection<String> dropped) {
        List<String> taken = new ArrayList<>(now.names());
        taken.addAll(dropped);
        return RepresentationName.next(wanted.group(), taken);
    }

    /**
     * A representation for the place of the only one that the dataset has in a replica group.
     *
     * @param incomplete the names of the representations that are not complete
     * @param dropped as for {@link #added}
     */
    public static ReplicaGroup set(
            ReplicaGroups configured,
            ReplicaGroups now,
            Set<String> incomplete,
            Collection<String> dropped,
            WantedGroup wanted) {
        configured(configured, wanted.group());
        ReplicaGroup before = replacedBy(now, incomplete, wanted);
        ReplicaGroup after = wanted.like(before, next(wanted, now, dropped));
        if (after.predicates().equals(before.predicates())
                && after.sort().equals(before.sort())
                && after.codec().equals(before.codec())
                && after.transforms().equals(before.transforms())) {
            throw new IllegalArgumentException(
                    "representation '" + before.name()
                            + "' is like this already; name other predicates, another sort order, another codec or other transforms");
        }
        return after;
    }

    /** The representation whose place the wanted one takes. */
    public static ReplicaGroup replacedBy(ReplicaGroups now, Set<String> incomplete, WantedGroup wanted) {
        List<String> there = in(now, wanted.group());
        if (there.isEmpty()) {
            throw new IllegalArgumentException("the dataset has no representation in replica group '" + wanted.group()
                    + "', only " + now.names() + "; add one with add-group");
        }
        List<String> underway = there.stream().filter(incomplete::contains).toList();
        if (!underway.isEmpty()) {
            throw new IllegalArgumentException("representation '" + underway.get(0) + "' of replica group '"
                    + wanted.group() + "' is not complete yet; wait for it, or cancel it with 'alter PATH cancel'");
        }
        refuseDefault(now, there.get(0), "set");
        return now.find(there.get(0)).orElseThrow();
    }

    /**
     * The representation that goes, by its name or that of its replica group.
     *
     * @param incomplete the names of the representations that are not complete
     */
    public static ReplicaGroup dropped(ReplicaGroups now, Set<String> incomplete, String name) {
        ReplicaGroup dropped = now.meant(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the dataset has no representation '" + name + "', only " + now.names()));
        refuseDefault(now, dropped.name(), "drop");
        int copies = now.groups().stream()
                .filter(g -> !g.equals(dropped) && !g.isLossy() && !incomplete.contains(g.name()))
                .mapToInt(ReplicaGroup::replication)
                .sum();
        if (copies < 2) {
            throw new IllegalArgumentException("without representation '" + dropped.name()
                    + "' the dataset would have one copy of its records; add another group first");
        }
        checkLossy(without(now, List.of(dropped.name())), incomplete, null);
        return dropped;
    }

    /**
     * Checks that a lossy representation has enough exact ones beside it, also if those that are not complete yet are cancelled.
     *
     * @param replaced the representation that goes when the new one is complete; null if there is none
     * @param more the new one
     * @throws IllegalArgumentException if it has not
     */
    public static void checkLossy(
            ReplicaGroups now, Set<String> incomplete, @Nullable ReplicaGroup replaced, ReplicaGroup more) {
        List<ReplicaGroup> all = new ArrayList<>(now.groups());
        all.remove(replaced);
        all.add(more);
        checkLossy(new ReplicaGroups(all, now.defaultName()), incomplete, more);
    }

    private static void checkLossy(ReplicaGroups after, Set<String> incomplete, @Nullable ReplicaGroup more) {
        List<String> exact = after.exact().stream()
                .filter(group -> !incomplete.contains(group.name()))
                .filter(group -> !group.equals(more))
                .map(ReplicaGroup::name)
                .toList();
        after.groups().stream()
                .filter(group -> group.isLossy() && exact.size() < LossyGroups.LEAST_EXACT)
                .findFirst()
                .ifPresent(lossy -> {
                    throw new IllegalArgumentException(LossyGroups.problem(lossy, exact));
                });
    }

    /**
     * All representations with one more.
     *
     * @param keys the key columns of the dataset
     */
    public static ReplicaGroups with(ReplicaGroups now, ReplicaGroup more, Schema schema, List<String> keys) {
        List<ReplicaGroup> all = new ArrayList<>(now.groups());
        all.add(more);
        ReplicaGroups altered = new ReplicaGroups(all, now.defaultName());
        List<String> problems = new ArrayList<>(altered.problemsWith(schema));
        namedTwice(more.predicates().stream().map(Predicate::column).toList())
                .ifPresent(column ->
                        problems.add("two predicates name column '" + ColumnPath.shown(column) + "'; name it in one"));
        namedTwice(more.sort().stream().map(SortKey::column).toList())
                .ifPresent(column -> problems.add(
                        "the sort order names column '" + ColumnPath.shown(column) + "' twice; name it once"));
        KeyColumns.problem(altered, schema, keys).ifPresent(problems::add);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("the dataset cannot have the representation '" + more.name() + "':\n  - "
                    + String.join("\n  - ", problems));
        }
        return altered;
    }

    /** All representations but some. */
    public static ReplicaGroups without(ReplicaGroups now, Collection<String> names) {
        return new ReplicaGroups(
                now.groups().stream().filter(g -> !names.contains(g.name())).toList(), now.defaultName());
    }

    private static Optional<String> namedTwice(List<String> columns) {
        Set<String> seen = new HashSet<>();
        return columns.stream()
                .filter(column -> !seen.add(column.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    private static void refuseDefault(ReplicaGroups now, String name, String verb) {
        if (name.equals(now.defaultName())) {
            throw new IllegalArgumentException("cannot " + verb + " '" + name
                    + "': other readers and writers see the files of the default group; adopt the directory anew for"
                    + " other files there");
        }
    }

    private static List<String> in(ReplicaGroups now, String group) {
        return now.names().stream()
                .filter(name -> RepresentationName.group(name).equals(group))
                .toList();
    }

    private static ReplicaGroup configured(ReplicaGroups configured, String name) {
        Optional<ReplicaGroup> found = configured.find(name);
        return found.orElseThrow(() -> new IllegalArgumentException("there is no replica group '" + name + "', only "
                + configured.names() + "; dfs.mpsr.groups names them"));
    }
}
