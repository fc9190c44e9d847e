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
package org.hadoopmpsr.mount.view;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.mount.fuse.Errno;

/**
 * The datasets that the NameNode tells the mount's user of, and where their groups lie. Asked at most once in five seconds. None if the
 * NameNode has no MPSR, or lets the user not ask it. Thread-safe.
 */
final class DatasetPlaces {
    /** The name of the directory with the groups, below a dataset directory. */
    static final String GROUPS = ".groups";

    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Source source;
    private final LongSupplier nanoTime;
    private List<Dataset> datasets = List.of();
    private long askedNs;
    private boolean asked;

    /** Who lists datasets. */
    interface Source {
        List<Dataset> list() throws IOException;
    }

    DatasetPlaces(Source source, LongSupplier nanoTime) {
        this.source = source;
        this.nanoTime = nanoTime;
    }

    /** The files of a group of a dataset, or one of them. */
    record Place(Dataset dataset, String group) {}

    /** The dataset with this directory. */
    Optional<Dataset> at(String path) throws IOException {
        return datasets().stream()
                .filter(dataset -> dataset.path().equals(path))
                .findFirst();
    }

    /** The group that a path belongs to; empty outside datasets. */
    Optional<Place> of(String path) throws IOException {
        Optional<Place> found = Optional.empty();
        int longest = -1;
        for (Dataset dataset : datasets()) {
            for (Dataset.Representation representation : dataset.representations()) {
                String root = representation.root();
                if (root.length() > longest && PathNames.isAtOrBelow(path, root)) {
                    longest = root.length();
                    found = Optional.of(new Place(dataset, representation.group()));
                }
            }
        }
        return found;
    }

    private synchronized List<Dataset> datasets() throws IOException {
        long now = nanoTime.getAsLong();
        if (!asked || now - askedNs > KEPT_NS) {
            try {
                datasets = source.list();
            } catch (IOException e) {
                if (!MpsrClient.isWithoutMpsr(e) && Errors.of(e) != Errno.EACCES) {
                    throw e;
                }
                datasets = List.of();
            }
            askedNs = now;
            asked = true;
        }
        return datasets;
    }
}
