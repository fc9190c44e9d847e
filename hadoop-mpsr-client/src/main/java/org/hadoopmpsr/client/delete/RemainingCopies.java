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
package org.hadoopmpsr.client.delete;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.config.ConfigKeys;

/**
 * Where copies of records may be that are not in a dataset any more. Immutable.
 *
 * @param files the replaced files that are kept
 * @param bytes of all copies of their blocks
 * @param directory where they are
 * @param keptSeconds how long each is kept, by this host's configuration
 * @param snapshots the snapshots that hold files of the dataset
 * @param trash the directories in the caller's trash that have the dataset's path
 */
public record RemainingCopies(
        long files, long bytes, String directory, long keptSeconds, List<String> snapshots, List<String> trash) {
    /** What HDFS answers where no snapshot can be; a client has no such class. */
    private static final String NO_SNAPSHOTS = "org.apache.hadoop.hdfs.protocol.SnapshotException";

    public RemainingCopies {
        snapshots = List.copyOf(snapshots);
        trash = List.copyOf(trash);
    }

    /**
     * Looks for them.
     *
     * @param dataset as it is now
     */
    public static RemainingCopies of(FileSystem fs, Configuration conf, Dataset dataset) throws IOException {
        long kept = conf.getLong(ConfigKeys.DROP_DELAY.name(), Long.parseLong(ConfigKeys.DROP_DELAY.defaultValue()));
        String store = conf.get(ConfigKeys.STORE_DIR.name(), ConfigKeys.STORE_DIR.defaultValue());
        return new RemainingCopies(
                dataset.changes().replacedFiles(),
                dataset.changes().replacedBytes(),
                store + "/datasets/" + dataset.id() + "/replaced",
                kept,
                snapshots(fs, dataset.path()),
                trash(fs, dataset.path()));
    }

    private static List<String> snapshots(FileSystem fs, String path) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path above = new Path(path); above != null; above = above.getParent()) {
            String below =
                    path.substring(above.isRoot() ? 0 : above.toUri().getPath().length());
            for (FileStatus snapshot : list(fs, new Path(above, ".snapshot"))) {
                Path in = below.isEmpty()
                        ? snapshot.getPath()
                        : new Path(
                                snapshot.getPath().toUri().getPath() + (below.startsWith("/") ? below : "/" + below));
                if (fs.exists(in)) {
                    found.add(snapshot.getPath().toUri().getPath());
                }
            }
        }
        return found;
    }

    private static List<String> trash(FileSystem fs, String path) throws IOException {
        List<String> found = new ArrayList<>();
        Path root = fs.getTrashRoot(new Path(path));
        for (FileStatus checkpoint : list(fs, root)) {
            Path in = new Path(checkpoint.getPath().toUri().getPath() + path);
            if (fs.exists(in)) {
                found.add(in.toUri().getPath());
            }
        }
        return found;
    }

    /** The entries; none where there is no such directory, or no snapshot, or the caller may not list it. */
    private static FileStatus[] list(FileSystem fs, Path directory) throws IOException {
        try {
            return fs.listStatus(directory);
        } catch (FileNotFoundException | AccessControlException e) {
            return new FileStatus[0];
        } catch (RemoteException e) {
            if (NO_SNAPSHOTS.equals(e.getClassName())) {
                return new FileStatus[0];
            }
            throw e;
        }
    }

    /** What a purge has done, for people. */
    public static String purged(Dataset.Purged purged) {
        return purged.files() + " replaced files (" + purged.bytes()
                + " bytes of all copies) are deleted; DataNodes delete their blocks within some seconds"
                + (purged.staged() == 0
                        ? ""
                        : "; " + purged.staged()
                                + " change(s) are begun and not published, and may have staged older records: let them end");
    }

    /** For people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                files == 0
                        ? "  no replaced file of the dataset is kept"
                        : "  " + files + " replaced files (" + bytes + " bytes of all copies) are kept in " + directory
                                + ", each for at least " + keptSeconds
                                + " s after its change; 'hdfs mpsr dataset purge' deletes them at once");
        snapshots.forEach(snapshot -> lines.add("  snapshot " + snapshot
                + " keeps the dataset's files as they were; delete it with 'hdfs dfs -deleteSnapshot'"));
        trash.forEach(path -> lines.add("  trash " + path + " has files; empty it with 'hdfs dfs -expunge'"));
        return lines;
    }

    /** For programs. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("replacedFiles", files);
        json.put("replacedBytes", bytes);
        json.put("replacedDir", directory);
        json.put("keptSeconds", keptSeconds);
        json.put("snapshots", snapshots);
        json.put("trash", trash);
        return json;
    }
}
