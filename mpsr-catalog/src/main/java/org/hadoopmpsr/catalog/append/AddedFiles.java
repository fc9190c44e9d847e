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
package org.hadoopmpsr.catalog.append;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.MpsrBridge;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.NotFoundException;
import org.hadoopmpsr.catalog.table.DatasetTable;

/** The data files that a snapshot adds, by its manifests. */
final class AddedFiles {
    /** The most files of an append. */
    static final int MOST_FILES = 10_000;

    private static final long MOST_LIST_BYTES = 64L << 20;

    /** A file and its state in HDFS. */
    record Added(DataFile file, FileStatus status) {}

    private final CallerFiles files;
    private final DatasetTable table;
    private final long mostBytes;

    /** @param mostBytes the most bytes of the files. The gateway reads all of them while the client waits */
    AddedFiles(CallerFiles files, DatasetTable table, long mostBytes) {
        this.mostBytes = mostBytes;
        this.files = files;
        this.table = table;
    }

    /** @throws AppendException if the snapshot does anything else than to add data files */
    List<Added> of(Snapshot snapshot) throws IOException, AppendException {
        try {
            List<Added> added = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (ManifestFile manifest : manifests(snapshot)) {
                if (manifest.snapshotId() != null && manifest.snapshotId() == snapshot.snapshotId()) {
                    add(manifest, names, added);
                }
            }
            long bytes =
                    added.stream().mapToLong(file -> file.status().getLen()).sum();
            if (bytes > mostBytes) {
                throw AppendException.wrong(
                        "The append has " + bytes + " bytes, and may have " + mostBytes
                                + " (--append-size of the gateway); append in several steps, or with Spark and MPSR's extension");
            }
            return added;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (NotFoundException e) {
            throw new FileNotFoundException(e.getMessage());
        } catch (RuntimeException e) { // of many kinds, for what the readers of manifests did not expect
            throw AppendException.wrong(
                    "The manifests of the snapshot " + snapshot.snapshotId() + " cannot be read: " + e.getMessage());
        }
    }

    private List<ManifestFile> manifests(Snapshot snapshot) throws IOException, AppendException {
        if (snapshot.manifestListLocation() == null) {
            throw AppendException.wrong("The snapshot " + snapshot.snapshotId()
                    + " has no list of manifests, as those of Iceberg's format 1 may; write with format 2");
        }
        return MpsrBridge.readManifestList(files.open(small(snapshot.manifestListLocation())));
    }

    private FileStatus small(String file) throws IOException, AppendException {
        FileStatus status = files.status(file);
        if (status.getLen() > MOST_LIST_BYTES) {
            throw AppendException.wrong("The file " + file + " has " + status.getLen() + " bytes, and may have "
                    + MOST_LIST_BYTES + "; append in several steps");
        }
        return status;
    }

    private void add(ManifestFile manifest, Set<String> names, List<Added> added) throws IOException, AppendException {
        small(manifest.path());
        if (manifest.content() != ManifestContent.DATA) {
            throw AppendException.unsupported("The manifest " + manifest.path() + " deletes records");
        }
        if (manifest.keyMetadata() != null) {
            throw AppendException.unsupported("The manifest " + manifest.path() + " is encrypted");
        }
        try (ManifestReader<DataFile> reader = ManifestFiles.read(manifest, files, table.specsById())) {
            var entries = MpsrBridge.entries(reader).iterator();
            while (entries.hasNext()) {
                MpsrBridge.Entry entry = entries.next();
                if (!entry.isAdded()) {
                    throw AppendException.unsupported(
                            "The manifest " + manifest.path() + " has a file that the snapshot does not add: "
                                    + entry.file().location());
                }
                if (added.size() == MOST_FILES) {
                    throw AppendException.wrong("The append has more than " + MOST_FILES
                            + " files; append fewer and larger ones, or with Spark and MPSR's extension");
                }
                if (!names.add(entry.file().location())) {
                    throw AppendException.wrong(
                            "The snapshot adds the file " + entry.file().location() + " twice");
                }
                added.add(added(entry.file()));
            }
        }
    }

    private Added added(DataFile file) throws IOException, AppendException {
        if (file.format() != FileFormat.PARQUET) {
            throw AppendException.wrong("The file " + file.location() + " is of the format " + file.format()
                    + ", and a dataset has Parquet; set the property write.format.default to parquet");
        }
        if (!table.specsById().containsKey(file.specId())) {
            throw AppendException.wrong("The file " + file.location() + " is of the partition spec " + file.specId()
                    + ", which the table does not have; load the table anew, and write the file again");
        }
        if (file.keyMetadata() != null) {
            throw AppendException.unsupported("The file " + file.location() + " is encrypted");
        }
        FileStatus status = files.status(file.location());
        if (!status.isFile() || status.getLen() != file.fileSizeInBytes()) {
            throw AppendException.wrong("The file " + file.location() + " has " + status.getLen()
                    + " bytes in HDFS, and " + file.fileSizeInBytes()
                    + " by its manifest; it was changed after it was written, so write it again");
        }
        return new Added(file, status);
    }
}
