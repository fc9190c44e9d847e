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

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.catalog.plan.PlannedFile;
import org.hadoopmpsr.catalog.plan.Planning;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.ReadableStates;
import org.hadoopmpsr.catalog.table.SnapshotIds;
import org.hadoopmpsr.client.MpsrClient;

/**
 * Manifests of the states of datasets, for clients that plan by themselves. They are made when the first of them is asked for, and kept for
 * the user who asked, for as long as a scan is planned. Safe for use by several threads.
 */
public final class Manifests {
    private static final Duration KEPT = Duration.ofMinutes(2);

    private final Cache<Key, ManifestSet> kept;

    /** @param mostBytes the memory for manifests that are kept */
    public Manifests(long mostBytes) {
        kept = Caffeine.newBuilder()
                .expireAfterWrite(KEPT)
                .maximumWeight(mostBytes)
                .weigher((Key key, ManifestSet set) -> (int) Math.min(Integer.MAX_VALUE, set.bytes()))
                .executor(Runnable::run)
                .build();
    }

    /**
     * Who asks, and how the files are called.
     *
     * @param user who reads with this client and file system
     * @param root the URI before the paths of manifests
     */
    public record Reader(String user, MpsrClient client, FileSystem fs, String root) {}

    private record Key(String user, String root, String datasetId, ManifestPath list) {}

    /**
     * The bytes of a list or of a manifest, which nobody may change.
     *
     * @throws FileNotFoundException if there is no such file for this reader, with a message that says what to do
     * @throws IOException if the reader may not read the dataset, among others
     */
    public byte[] bytes(Reader reader, ManifestPath path) throws IOException {
        DatasetTable table = new DatasetTable(reader.client().getDataset(path.dataset()), path.filled());
        String untold = table.dataset().untold();
        if (untold != null) { // who may not know all files gets no list that was made when that was allowed
            throw new AccessControlException(untold);
        }
        if (table.spec(path.group()).isEmpty()) {
            throw new FileNotFoundException(path.dataset() + " has no replica group '" + path.group() + "'; it has "
                    + String.join(", ", table.dataset().groups().names()));
        }
        ManifestPath list = path.beside(ManifestPath.LIST);
        Key key = new Key(reader.user(), reader.root(), table.dataset().id(), list);
        ManifestSet set = kept.getIfPresent(key);
        if (set == null) {
            set = made(reader, table, list);
            kept.put(key, set);
        }
        byte[] found = set.file(path.file());
        if (found == null) {
            throw new FileNotFoundException(
                    path.text() + " is of a list that is not that of the state any more;" + " plan the scan again");
        }
        return found;
    }

    private static ManifestSet made(Reader reader, DatasetTable table, ManifestPath list) throws IOException {
        try {
            StateFiles state =
                    SnapshotIds.isOfNoChange(list.change()) ? present(reader, table, list) : asOf(reader, table, list);
            return new ManifestSets(table, reader.fs().getUri().toString(), reader.root()).write(list, state);
        } catch (IllegalArgumentException e) {
            throw (IOException) new FileNotFoundException(list.text() + ": " + e.getMessage()).initCause(e);
        }
    }

    /** A dataset that does not count its changes has one state, which ends with the next commit. */
    private static StateFiles present(Reader reader, DatasetTable table, ManifestPath list) throws IOException {
        List<PlannedFile> files = Planning.committed(reader.client(), table, null, list.group());
        var now = reader.client().getDataset(list.dataset()).changes();
        if (!SnapshotIds.isUncounted(list.change(), now.sequence(), now.segments())) {
            throw new FileNotFoundException(
                    list.text() + " is of an earlier state, and the dataset keeps none; refresh the table");
        }
        return new StateFiles(
                files.stream().map(file -> new ListedFile(file, true)).toList(), list.change(), null);
    }

    private static StateFiles asOf(Reader reader, DatasetTable table, ManifestPath list) throws IOException {
        List<PlannedFile> files = Planning.committed(reader.client(), table, list.change(), list.group());
        Long before = ReadableStates.of(reader.client().history(list.dataset(), ReadableStates.MOST_CHANGES))
                .lower(list.change());
        Set<PlannedFile> old = before == null
                ? Set.of()
                : new HashSet<>(Planning.committed(reader.client(), table, before, list.group()));
        return new StateFiles(
                files.stream()
                        .map(file -> new ListedFile(file, !old.contains(file)))
                        .toList(),
                list.change(),
                before);
    }
}
