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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.EncryptionZones;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits.Access;
import org.hadoopmpsr.client.proto.MpsrProtos.AlteredGroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.CreateDatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.wire.WantedGroupWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.AlteredGroups;
import org.hadoopmpsr.core.group.KeyColumns;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.dataset.SetAside;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.quota.StoreUse;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/** Creates datasets. */
public final class DatasetCreation {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Readiness readiness;
    private final Allocation allocation;
    private final Datasets datasets;

    public DatasetCreation(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Readiness readiness,
            Allocation allocation,
            Datasets datasets) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.readiness = readiness;
        this.allocation = allocation;
        this.datasets = datasets;
    }

    /**
     * Creates a dataset, and with the first dataset the allocation of nodes. A repeated call for an empty dataset of
     * the same schema and keys succeeds without effect, and so does a client's repeated call.
     *
     * @param request names the key columns, see {@link KeyColumns}; none if all records are kept. It may say of groups, also of the default
     *     group, how they are partitioned; the others are as configured
     */
    public DatasetRecord create(CreateDatasetRequestProto request) throws IOException {
        String path = request.getPath();
        system.checkWritable();
        system.checkSuperuser("mpsrCreateDataset", path);
        return system.repeatedCalls()
                .once(
                        () -> make(
                                path,
                                request.getSchema(),
                                request.getKeyList(),
                                request.getAdopt(),
                                request.getGroupList()),
                        () -> datasets.at(path)
                                .orElseThrow(() -> new FileNotFoundException(path + " is not a dataset any more")));
    }

    private DatasetRecord make(
            String path, String schemaText, List<String> keyTexts, boolean adopt, List<AlteredGroupProto> wanted)
            throws IOException {
        readiness.refresh();
        Schema schema = schema(schemaText);
        ReplicaGroups groups = groups(wanted).of(schema);
        checkFit(schemaText, schema, groups);
        List<String> keys = keys(keyTexts, schema, groups);
        checkPath(path);
        Access access = new Access(system.caller(), null, FsPermission.createImmutable((short) 0755));
        DatasetRecord made = null;
        while (made == null) {
            made = make(path, access, groups, schema, definition(newId(path), schema, groups, keys), adopt);
        }
        return made;
    }

    /** Returns null if the store has a dataset of this id. */
    private @Nullable DatasetRecord make(
            String path, Access access, ReplicaGroups groups, Schema schema, DatasetProto definition, boolean adopt)
            throws IOException {
        byte[] stored = definition.toByteArray();
        return system.write("mpsrCreateDataset", edits -> {
            DatasetRecord existing = checkPlace(path, schema, definition.getKeyList(), adopt);
            if (existing != null || namespace.find(layout.datasetDir(definition.getId())) != null) {
                return existing;
            }
            checkSize(edits, path, schema, stored);
            allocation.allocateNew(edits, groups);
            String missing = firstMissing(path);
            try {
                edits.mkdirs(path, access);
                makeStore(edits, path, definition);
                // last: from here on it is a dataset
                edits.setXAttrByCall(path, Attributes.DATASET, stored);
            } catch (IOException | RuntimeException e) {
                edits.delete(layout.datasetDir(definition.getId()));
                if (missing != null) {
                    edits.delete(missing);
                }
                throw e;
            }
            DatasetRecord made = DatasetRecord.of(path, namespace.require(path).getId(), definition);
            datasets.add(made);
            return made;
        });
    }

    /** Before anything is made: HDFS limits the attribute that the definition is. */
    private static void checkSize(NamespaceEdits edits, String path, Schema schema, byte[] stored) throws IOException {
        try {
            edits.checkXAttr(path, Attributes.DATASET, stored);
        } catch (IOException e) {
            throw new IOException(
                    "cannot create a dataset at '" + path + "' with "
                            + schema.columns().size() + " columns: " + e.getMessage()
                            + ", or use fewer columns or shorter names",
                    e);
        }
    }

    /** The topmost directory on the way to a path that does not exist, or null when the path does. */
    private @Nullable String firstMissing(String path) throws IOException {
        String missing = null;
        for (String at = path; !at.isEmpty() && namespace.find(at) == null; at = at.substring(0, at.lastIndexOf('/'))) {
            missing = at;
        }
        return missing;
    }

    private ReplicaGroups groups(List<AlteredGroupProto> wanted) throws IOException {
        try {
            return AlteredGroups.ofNew(
                    readiness.require(),
                    wanted.stream().map(WantedGroupWire::wanted).toList());
        } catch (IllegalArgumentException e) {
            throw new IOException("cannot create a dataset with these groups: " + e.getMessage(), e);
        }
    }

    private static Schema schema(String text) throws IOException {
        try {
            return Schema.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("cannot read the schema '" + text + "': " + e.getMessage(), e);
        }
    }

    private static void checkFit(String text, Schema schema, ReplicaGroups groups) throws IOException {
        List<String> problems = groups.problemsWith(schema);
        if (!problems.isEmpty()) {
            throw new IOException("a dataset of schema '" + PrintableText.of(text)
                    + "' does not fit the replica groups:\n  - " + String.join("\n  - ", problems));
        }
    }

    /** The key columns by the names of the schema, each once. */
    private static List<String> keys(List<String> texts, Schema schema, ReplicaGroups groups) throws IOException {
        List<String> keys = texts.stream()
                .map(key -> schema.find(key).isPresent() ? key : key.strip()) // older clients send blanks around names
                .toList();
        Optional<String> problem = KeyColumns.problem(groups, schema, keys);
        if (problem.isPresent()) {
            throw new IOException("a dataset cannot have the keys '" + PrintableText.of(ColumnName.list(keys)) + "': "
                    + PrintableText.of(problem.get()));
        }
        return keys.stream()
                .map(key -> schema.columns().get(schema.indexOf(key).getAsInt()).name())
                .distinct()
                .toList();
    }

    private void checkPath(String path) throws IOException {
        String store = layout.storeDir();
        if (!path.startsWith("/") || !DFSUtil.isValidName(path) || path.endsWith("/")) {
            throw refused(path, "it is not an absolute path of a directory below the root");
        }
        if (!PrintableText.isPlain(path)) {
            throw refused(path, "it holds a control character or another one that cannot be seen");
        }
        if (List.of(path.split("/")).contains(FileSystem.TRASH_PREFIX)) {
            throw refused(path, "it lies in a trash directory, which HDFS empties");
        }
        if (path.startsWith("/.reserved")) {
            throw refused(path, "it is reserved by HDFS");
        }
        if (PathNames.isAtOrBelow(path, store) || PathNames.isAtOrBelow(store, path)) {
            throw refused(path, "it overlaps the store directory " + store);
        }
    }

    /**
     * Returns an existing dataset that has this schema, or null if there is none.
     *
     * @param adopt whether the directory may hold something
     */
    private @Nullable DatasetRecord checkPlace(String path, Schema schema, List<String> keys, boolean adopt)
            throws IOException {
        DatasetRecord existing = datasets.at(path).orElse(null);
        INode inode = namespace.find(path);
        boolean empty = inode == null || (inode.isDirectory() && namespace.countEntries(path) == 0);
        if (existing != null) {
            if ((empty || adopt)
                    && existing.schema().equals(schema)
                    && existing.keys().equals(keys)) {
                return existing;
            }
            throw refused(path, "it is a dataset already");
        }
        for (DatasetRecord other : datasets.all()) {
            if (PathNames.isAtOrBelow(path, other.path()) || PathNames.isAtOrBelow(other.path(), path)) {
                throw refused(path, "it overlaps the dataset " + other.path());
            }
        }
        for (SetAside aside : datasets.setAside()) {
            if (PathNames.isAtOrBelow(path, aside.path()) || PathNames.isAtOrBelow(aside.path(), path)) {
                throw refused(path, aside.text());
            }
        }
        if (inode != null && !inode.isDirectory()) {
            throw refused(path, "it is no directory");
        }
        if (!empty && !adopt) {
            throw refused(
                    path,
                    "it is not empty; 'hdfs mpsr dataset adopt " + path
                            + " --dry-run' says whether it can be adopted with all its files");
        }
        if (adopt && inode == null) {
            throw new FileNotFoundException("cannot adopt '" + path + "': there is no such directory");
        }
        String zone = EncryptionZones.of(system.directory(), path);
        String storeZone = EncryptionZones.of(system.directory(), layout.storeDir());
        if (!Objects.equals(zone, storeZone)) {
            throw new IOException("cannot create a dataset at '" + path + "': it lies in " + describe(zone)
                    + ", and its other representations would lie in " + layout.storeDir() + ", in "
                    + describe(storeZone) + "; name a directory " + (zone == null ? "inside" : "outside") + ", or with "
                    + ConfigKeys.STORE_DIR.name() + " a store in the same zone");
        }
        return null;
    }

    private static String describe(@Nullable String zone) {
        return zone == null ? "no encryption zone" : "the encryption zone " + zone;
    }

    private static IOException refused(String path, String cause) {
        return new IOException("cannot create a dataset at '" + path + "': " + cause + "; name another directory");
    }

    private static DatasetProto definition(String id, Schema schema, ReplicaGroups groups, List<String> keys) {
        DatasetProto.Builder definition = DatasetProto.newBuilder()
                .setFormatVersion(DatasetVersion.first(schema, groups))
                .setId(id)
                .setSchema(schema.ddl())
                .setDefaultGroup(groups.defaultName())
                .addAllKey(keys);
        groups.groups().forEach(g -> definition.addGroup(Wire.group(g)));
        return definition.build();
    }

    private static String newId(String path) {
        String name = PathNames.name(path).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
        String stem = name.substring(0, Math.min(name.length(), 32));
        return String.format("%s-%08x", stem, RANDOM.nextInt());
    }

    private void makeStore(NamespaceEdits edits, String path, DatasetProto definition) throws IOException {
        INode directory = namespace.require(path);
        Access own = Access.own();
        String id = definition.getId();
        edits.mkdirs(layout.datasetDir(id) + "/" + StoreLayout.STAGING, own);
        edits.mkdirs(layout.datasetDir(id) + "/" + StoreLayout.PUBLISHING, own);
        edits.mkdirs(layout.offsetsDir(id), own);
        for (var group : definition.getGroupList()) {
            if (!group.getName().equals(definition.getDefaultGroup())) {
                edits.mkdirs(layout.groupDir(id, group.getName()), own);
            }
        }
        edits.setXAttr(
                layout.datasetDir(id),
                Attributes.HOME,
                Long.toString(directory.getId()).getBytes(StandardCharsets.UTF_8));
        edits.setXAttr(layout.datasetDir(id), Attributes.COMMITTED, CommittedContent.NONE.encode());
        StoreUse.count(edits, layout.datasetDir(id));
    }
}
