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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.hadoopmpsr.mount.view.OpenDirectory.Listed;
import org.slf4j.Logger;

/** What lies in a directory: what HDFS has there, and the groups of a dataset in {@link DatasetPlaces#GROUPS}. Thread-safe. */
final class Directories {
    private static final Logger LOG = PrintableLog.of(Directories.class);

    private final Store store;
    private final NodeTable nodes;
    private final DatasetPlaces datasets;

    Directories(Store store, NodeTable nodes, DatasetPlaces datasets) {
        this.store = store;
        this.nodes = nodes;
        this.datasets = datasets;
    }

    /** What a name in a directory leads to. The directory of groups is found, and is not listed. */
    Listed find(Node parent, String name) throws IOException {
        Path directory = nodes.path(parent);
        if (parent.kind() == Node.Kind.GROUPS) {
            return groups(directory).stream()
                    .filter(group -> group.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new FileNotFoundException("'" + directory + "' has no group '" + name + "'"));
        }
        if (isGroups(parent, name)) {
            FileStatus dataset = store.status(directory);
            long id = StatusView.virtualId(dataset);
            return new Listed(
                    name,
                    dataset,
                    new Node.Place(id, Node.Kind.GROUPS, directory.toUri().getPath()));
        }
        return plain(store.status(Store.child(directory, name)), name);
    }

    /** True for the name of the directory of groups in a dataset directory. */
    boolean isGroups(Node parent, String name) throws IOException {
        return name.equals(DatasetPlaces.GROUPS)
                && !nodes.isOfGroups(parent)
                && datasets.at(nodes.path(parent).toUri().getPath()).isPresent();
    }

    /** Begins the list of a directory. */
    RemoteIterator<Listed> list(Node node) throws IOException {
        Path directory = nodes.path(node);
        if (node.kind() == Node.Kind.GROUPS) {
            Iterator<Listed> groups = groups(directory).iterator();
            return new RemoteIterator<>() {
                @Override
                public boolean hasNext() {
                    return groups.hasNext();
                }

                @Override
                public Listed next() {
                    return groups.next();
                }
            };
        }
        if (!store.status(directory, node.fileId()).isDirectory()) {
            throw new ErrnoException(Errno.ENOTDIR, "'" + directory + "' is a file");
        }
        RemoteIterator<FileStatus> found = store.fs().listStatusIterator(directory);
        return new RemoteIterator<>() {
            @Override
            public boolean hasNext() throws IOException {
                return found.hasNext();
            }

            @Override
            public Listed next() throws IOException {
                FileStatus status = found.next();
                return plain(status, status.getPath().getName());
            }
        };
    }

    private static Listed plain(FileStatus status, String name) {
        return new Listed(name, status, Node.Place.plain(StatusView.fileId(status)));
    }

    /** The groups whose directories the user may see. A group without files may have no directory yet. */
    private List<Listed> groups(Path dataset) throws IOException {
        Optional<Dataset> found = datasets.at(dataset.toUri().getPath());
        List<Listed> groups = new ArrayList<>();
        for (Dataset.Representation representation :
                found.map(Dataset::representations).orElse(List.of())) {
            try {
                FileStatus root = store.status(new Path(null, null, representation.root()));
                groups.add(new Listed(
                        representation.group(),
                        root,
                        new Node.Place(StatusView.fileId(root), Node.Kind.GROUP, representation.root())));
            } catch (FileNotFoundException e) {
                LOG.debug("the group {} has no directory", representation.group());
            }
        }
        return groups;
    }
}
