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
package org.hadoopmpsr.catalog.manifest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.MpsrBridge;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.hadoopmpsr.catalog.plan.DataFilesOf;
import org.hadoopmpsr.catalog.plan.Fingerprint;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.TableDescription;

/**
 * Writes manifests, by the classes of Iceberg. The manifests of a state are the same bytes whenever they are written: a client that
 * reads the list from one gateway and a manifest from another one finds what the list says. A manifest is named after its entries.
 */
final class ManifestSets {
    /** A manifest has about so many entries, with which Iceberg's own take a few megabytes. */
    private static final int ENTRIES = 5_000;

    /** So many manifests fit into the one block of a list: clients that take a list for shorter than it is read that block too. */
    private static final int MANIFESTS = 200;

    private static final int SYNC_BYTES = 16;
    /** The length of compressed bytes may differ between gateways. */
    private static final Map<String, String> UNCOMPRESSED = Map.of(TableProperties.AVRO_COMPRESSION, "uncompressed");

    private final DatasetTable table;
    private final DataFilesOf dataFiles;
    private final String root;

    /**
     * Writes those of a table.
     *
     * @param fileSystem the URI before the paths of data files
     * @param root the URI before the paths of manifests
     */
    ManifestSets(DatasetTable table, String fileSystem, String root) {
        this.table = table;
        this.dataFiles = new DataFilesOf(table, fileSystem);
        this.root = root;
    }

    /** @throws IOException if the directories of a file name no partition */
    ManifestSet write(ManifestPath list, StateFiles state) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        List<ManifestFile> manifests = new ArrayList<>();
        for (List<Entry> some : manifests(state.files())) {
            String name = name(some);
            InMemoryOutputFile out =
                    new InMemoryOutputFile(root + list.beside(name).text());
            manifests.add(write(out, some, state));
            files.put(name, withoutChance(out.toByteArray(), name));
        }
        InMemoryOutputFile out = new InMemoryOutputFile(root + list.text());
        MpsrBridge.writeManifestList(
                TableDescription.FORMAT_VERSION, out, state.change(), state.before(), state.change(), manifests);
        files.put(list.file(), withoutChance(out.toByteArray(), list.text()));
        return new ManifestSet(files);
    }

    private record Entry(DataFile file, boolean added) {}

    /** The entries of each manifest: all have the same partition spec. */
    private List<List<Entry>> manifests(List<ListedFile> files) throws IOException {
        Map<Integer, List<Entry>> bySpec = new TreeMap<>();
        for (ListedFile listed : files) {
            DataFile file = dataFiles.of(listed.file());
            bySpec.computeIfAbsent(file.specId(), id -> new ArrayList<>()).add(new Entry(file, listed.added()));
        }
        int most = Math.max(ENTRIES, files.size() / MANIFESTS + 1);
        List<List<Entry>> manifests = new ArrayList<>();
        for (List<Entry> entries : bySpec.values()) {
            for (int from = 0; from < entries.size(); from += most) {
                manifests.add(entries.subList(from, Math.min(entries.size(), from + most)));
            }
        }
        return manifests;
    }

    private static String name(List<Entry> entries) {
        Fingerprint fingerprint = new Fingerprint();
        for (Entry entry : entries) {
            fingerprint.add(entry.file().location(), entry.file().fileSizeInBytes());
            fingerprint.add(Integer.toString(entry.file().specId()), entry.added() ? 1 : 0);
        }
        return String.format("%016x.avro", fingerprint.take());
    }

    private ManifestFile write(InMemoryOutputFile out, List<Entry> entries, StateFiles state) throws IOException {
        PartitionSpec spec = table.specsById().get(entries.get(0).file().specId());
        ManifestWriter<DataFile> writer =
                ManifestFiles.write(TableDescription.FORMAT_VERSION, spec, out, state.change(), UNCOMPRESSED);
        try (writer) {
            for (Entry entry : entries) {
                if (entry.added() || state.before() == null) {
                    writer.add(entry.file());
                } else {
                    writer.existing(entry.file(), state.before(), state.before(), state.before());
                }
            }
        }
        return writer.toManifestFile();
    }

    /**
     * The file with a marker between its blocks that is made of a name. That of Avro is drawn at random for each file. It comes after the
     * header and after each block: the last bytes of a file are one.
     */
    private static byte[] withoutChance(byte[] avro, String name) {
        byte[] marker = Arrays.copyOfRange(avro, avro.length - SYNC_BYTES, avro.length);
        byte[] instead = Fingerprint.bytes(name.getBytes(StandardCharsets.UTF_8), SYNC_BYTES);
        for (int at = 0; at + SYNC_BYTES <= avro.length; at++) {
            if (Arrays.equals(avro, at, at + SYNC_BYTES, marker, 0, SYNC_BYTES)) {
                System.arraycopy(instead, 0, avro, at, SYNC_BYTES);
                at += SYNC_BYTES - 1;
            }
        }
        return avro;
    }
}
