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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits.Access;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.AlteredGroups;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.health.FileHealth;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.segment.Retention;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Alters the groups of a dataset. A new group is incomplete at first: it is to hold what the default group holds, has nothing of
 * it, and is rebuilt as a group that has lost everything. When it has all records, it is complete, and the one goes whose place it
 * takes. Thread-safe.
 */
public final class GroupAlteration {
    private static final Logger LOG = PrintableLog.of(GroupAlteration.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Readiness readiness;
    private final Datasets datasets;
    private final DatasetLocks locks;
    private final DefinitionChanges definitions;
    private final Indexes indexes;
    private final Verification verification;
    private final FileHealth files;

    public GroupAlteration(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Readiness readiness,
            Datasets datasets,
            DatasetLocks locks,
            DefinitionChanges definitions,
            Indexes indexes,
            Verification verification,
            FileHealth files) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.readiness = readiness;
        this.datasets = datasets;
        this.locks = locks;
        this.definitions = definitions;
        this.indexes = indexes;
        this.verification = verification;
        this.files = files;
    }

    /**
     * Adds a representation in a replica group in which the dataset has none.
     *
     * @param expected the id of the dataset that the caller knows; null for any
     * @throws IllegalArgumentException if the wish makes no sense
     */
    public DatasetRecord add(String path, @Nullable String expected, WantedGroup wanted) throws IOException {
        ReplicaGroups configured = readiness.require();
        return alter(path, expected, dataset -> {
            ReplicaGroup added =
                    AlteredGroups.added(configured, dataset.groups(), dropped(dataset), stored(dataset, wanted));
            begin(dataset, added, null);
        });
    }

    /** Adds a representation that takes the place of the one that the dataset has in the replica group; as {@link #add}. */
    public DatasetRecord set(String path, @Nullable String expected, WantedGroup wanted) throws IOException {
        ReplicaGroups configured = readiness.require();
        return alter(path, expected, dataset -> {
            Set<String> incomplete = dataset.incomplete();
            WantedGroup stored = stored(dataset, wanted);
            ReplicaGroup after = AlteredGroups.set(configured, dataset.groups(), incomplete, dropped(dataset), stored);
            begin(dataset, after, AlteredGroups.replacedBy(dataset.groups(), incomplete, stored));
        });
    }

    /**
     * Drops a representation. Queries that were planned on it go on for as long as replaced files are kept for readers.
     *
     * @param name of the representation, or of a replica group in which the dataset has only one
     */
    public DatasetRecord drop(String path, @Nullable String expected, String name) throws IOException {
        return alter(path, expected, dataset -> {
            ReplicaGroup dropped = AlteredGroups.dropped(dataset.groups(), dataset.incomplete(), name);
            if (!dataset.incomplete().contains(dropped.name())) {
                checkOthers(dataset, dropped);
            }
            remove(dataset, List.of(dropped.name()), UnaryOperator.identity());
        });
    }

    /** Drops all incomplete representations: the dataset is as before they were added. No effect if there are none. */
    public DatasetRecord cancel(String path, @Nullable String expected) throws IOException {
        return alter(path, expected, dataset -> {
            if (!dataset.incomplete().isEmpty()) {
                remove(dataset, dataset.incomplete(), UnaryOperator.identity());
            }
        });
    }

    /** Ends what is complete, in all datasets. */
    public void completeDue() throws IOException {
        if (system.safeMode().isOn() || !readiness.isReady()) {
            return;
        }
        for (DatasetRecord dataset : datasets.all()) {
            if (!dataset.incomplete().isEmpty()
                    && !locks.look(dataset, () -> complete(dataset)).isEmpty()) {
                definitions.alone(dataset, this::end);
            }
        }
    }

    private DatasetRecord alter(String path, @Nullable String expected, DefinitionChanges.Step step)
            throws IOException {
        return definitions.byCall(path, expected, dataset -> {
            step.run(dataset);
            end(definitions.now(dataset)); // a dataset without records has nothing to write
        });
    }

    /** The wish in the names that columns have in files. */
    private static WantedGroup stored(DatasetRecord dataset, WantedGroup wanted) {
        DatasetColumns columns = dataset.columns();
        WantedGroup named = wanted.withColumns(name -> {
            String whole = ColumnPath.root(name);
            if (columns.shown().find(whole).isEmpty()
                    && columns.stored().find(whole).isPresent()) {
                throw new IllegalArgumentException(
                        "column '" + whole + "' was renamed or dropped; the dataset has " + columns.text());
            }
            return columns.shown().stored(name);
        });
        named.checkColumns(dataset.schema());
        return named.of(dataset.schema());
    }

    private static List<String> dropped(DatasetRecord dataset) {
        return dataset.definition().getDroppedGroupList();
    }

    private void begin(DatasetRecord dataset, ReplicaGroup wanted, @Nullable ReplicaGroup replaced) throws IOException {
        ReplicaGroup added = wanted.with(wanted.transforms().of(dataset.schema()));
        AlteredGroups.checkLossy(dataset.groups(), dataset.incomplete(), replaced, added);
        ReplicaGroups altered = AlteredGroups.with(dataset.groups(), added, dataset.schema(), dataset.keys());
        GroupProto.Builder proto = Wire.group(added).toBuilder().setIncomplete(true);
        if (replaced != null) {
            proto.setReplaces(replaced.name());
        }
        DatasetProto definition = dataset.definition().toBuilder()
                .setFormatVersion(
                        DatasetVersion.withAlteredGroups(dataset.definition().getFormatVersion(), altered))
                .addGroup(proto)
                .build();
        system.write(DefinitionChanges.CALL, edits -> {
            edits.mkdirs(layout.groupDir(dataset.id(), added.name()), Access.own());
            putCommitted(edits, dataset, committed -> committed.inAll(List.of(added.name()), dataset.defaultGroup()));
            definitions.put(edits, dataset, definition); // last: from here on it is a group
            return true;
        });
        LOG.info("MPSR: group '{}' of {} is written from now on ({})", added.name(), dataset.path(), added);
    }

    /** The incomplete groups that have all records now. */
    private Set<String> complete(DatasetRecord dataset) throws IOException {
        DatasetIndex index = indexes.of(dataset);
        CommittedContent committed = verification.committed(dataset);
        Set<String> complete = new HashSet<>();
        for (String group : dataset.incomplete()) {
            if (committed != null
                    && index.isWhole(dataset, group, committed)
                    && verification.look(dataset, index, group).problem().isEmpty()
                    && files.isReadable(index.group(group))) {
                complete.add(group);
            }
        }
        return complete;
    }

    /** Ends what is complete. The caller has the dataset alone. */
    private void end(DatasetRecord dataset) throws IOException {
        Set<String> complete = complete(dataset);
        if (complete.isEmpty()) {
            return;
        }
        List<String> replaced = dataset.definition().getGroupList().stream()
                .filter(group -> complete.contains(group.getName()) && group.hasReplaces())
                .map(GroupProto::getReplaces)
                .toList();
        remove(dataset, replaced, definition -> {
            DatasetProto.Builder all = definition.toBuilder().clearGroup();
            for (GroupProto group : definition.getGroupList()) {
                all.addGroup(
                        complete.contains(group.getName())
                                ? group.toBuilder()
                                        .clearIncomplete()
                                        .clearReplaces()
                                        .build()
                                : group);
            }
            return all.build();
        });
        LOG.info(
                "MPSR: group(s) {} of {} are complete{}",
                complete,
                dataset.path(),
                replaced.isEmpty() ? "" : ", and " + replaced + " gone");
    }

    /** Checks that the records do not depend on a representation. */
    private void checkOthers(DatasetRecord dataset, ReplicaGroup dropped) throws IOException {
        DatasetRecord whole = dataset.whole();
        DatasetIndex index = indexes.of(dataset);
        for (String group : whole.groups().names()) {
            if (group.equals(dropped.name())) {
                continue;
            }
            Verification.Look look = verification.look(whole, index, group);
            String problem = look.isOnlyAddedTo() ? "" : look.problem();
            if (problem.isEmpty() && !files.isReadable(index.group(group))) {
                problem = "has files without a live replica";
            }
            if (!problem.isEmpty()) {
                throw new IOException("cannot drop representation '" + dropped.name() + "' of " + dataset.path()
                        + ": its records may be needed for group '" + group + "', which " + problem
                        + "; rebuild that first");
            }
        }
    }

    /** Removes representations, and changes the definition further, in one step. */
    private void remove(DatasetRecord dataset, Collection<String> groups, UnaryOperator<DatasetProto> more)
            throws IOException {
        DatasetProto definition = more.apply(dataset.without(groups)).toBuilder()
                .setFormatVersion(
                        DatasetVersion.withAlteredGroups(dataset.definition().getFormatVersion(), dataset.groups()))
                .addAllDroppedGroup(groups)
                .build();
        system.write(DefinitionChanges.CALL, edits -> {
            for (String group : groups) {
                String from = layout.groupDir(dataset.id(), group);
                if (namespace.find(from) != null) {
                    String id = String.format(Locale.ROOT, "%s%s-%08x", Retention.DROPPED, group, RANDOM.nextInt());
                    String to = layout.replacedDir(dataset.id(), id);
                    edits.mkdirs(to, Access.own());
                    edits.rename(from, to + "/" + group);
                }
            }
            putCommitted(edits, dataset, committed -> committed.without(groups));
            definitions.put(edits, dataset, definition);
            return true;
        });
    }

    private void putCommitted(NamespaceEdits edits, DatasetRecord dataset, UnaryOperator<CommittedContent> change)
            throws IOException {
        String store = layout.datasetDir(dataset.id());
        CommittedContent committed = CommittedContent.on(namespace.require(store));
        if (committed != null) {
            edits.setXAttr(store, Attributes.COMMITTED, change.apply(committed).encode());
        }
    }
}
