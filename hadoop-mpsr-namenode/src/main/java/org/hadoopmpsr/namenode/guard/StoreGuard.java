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
package org.hadoopmpsr.namenode.guard;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/**
 * Keeps the store as MPSR made it. Nobody adds, changes or removes anything at or below the store, a superuser neither,
 * nor removes a directory above it. Below a commit's staging directory its writer may do what HDFS allows. A superuser
 * may still put right what MPSR cannot: delete the store of a dataset whose directory is gone, and a file that was put
 * into the store while MPSR was out; change the store of a dataset that is set aside; and have what was committed taken
 * as it is found. Thread-safe.
 */
public final class StoreGuard {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Activation activation;
    private final Allocation allocation;
    private final Datasets datasets;
    private final Counters counters;

    public StoreGuard(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Activation activation,
            Allocation allocation,
            Datasets datasets,
            Counters counters) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.activation = activation;
        this.allocation = allocation;
        this.datasets = datasets;
        this.counters = counters;
    }

    /** The path without {@code /.reserved} and without slashes at its end. */
    private String real(String path) throws IOException {
        return PathNames.trimmed(system.resolve(path, 0));
    }

    /**
     * Checks a call. On a NameNode that is not active nothing is checked, because HDFS refuses the call.
     *
     * @throws AccessControlException if the call would change the store
     */
    public void check(PathCall.Use use) throws IOException {
        for (String named : use.paths()) {
            String path = real(named);
            if (layout.concerns(path) && system.ha().isActive()) {
                activation.ensure();
                if (!isAllowed(use, path)) {
                    refuse(use.call(), path);
                }
            }
        }
    }

    /** True if a call may concern the store, or a directory above it. */
    public boolean concerns(PathCall.Use use) throws IOException {
        for (String path : use.paths()) {
            if (layout.concerns(real(path))) {
                return true;
            }
        }
        return false;
    }

    /** True if a call changed the store; MPSR then has to read its records again. */
    public boolean touches(PathCall.Use use) throws IOException {
        return isInStore(use.paths().get(0));
    }

    /** True for a path in the store that is not a writer's, below a staging directory. */
    private boolean isInStore(String named) throws IOException {
        return layout.isOwn(real(named));
    }

    /** Must be called after a rename: the store or datasets may have moved. */
    public void renamed(String source, String target) throws IOException {
        if (isInStore(target)) {
            readAgain();
        } else if (datasets.anyAtOrBelow(real(source))) {
            datasets.refresh();
        }
    }

    /** Reads the records of the store again. */
    public void readAgain() throws IOException {
        allocation.load();
        datasets.load();
    }

    private boolean isAllowed(PathCall.Use use, String path) throws IOException {
        String store = layout.storeDir();
        if (!PathNames.isAtOrBelow(path, store)) {
            return use.call().effect() != PathCall.Effect.REMOVE || path.equals("/") || !exists(store);
        }
        if (layout.stagingDirAbove(path).isPresent() || isSetAside(path)) {
            return true;
        }
        return switch (use.call().effect()) {
            case ADD -> use.call() == PathCall.MKDIRS && (path.equals(store) || isDirectory(path));
            case REMOVE -> !exists(path) || isOrphan(path) || isUnpublishedFile(path);
            case ATTRIBUTE -> use.attribute().equals(Attributes.COMMITTED) && use.call() == PathCall.REMOVE_XATTR;
            case SETTING ->
                PathNames.isAtOrBelow(layout.datasetsDir(), path)
                        && (use.call() == PathCall.SET_QUOTA || isZoneForStore(use, path));
            case CONTENT, METADATA -> false;
        };
    }

    /** Before the first dataset the store may become an encryption zone. */
    private boolean isZoneForStore(PathCall.Use use, String path) throws IOException {
        return use.call() == PathCall.CREATE_ENCRYPTION_ZONE
                && path.equals(layout.storeDir())
                && !exists(layout.datasetsDir());
    }

    private boolean exists(String path) throws IOException {
        return system.read(() -> namespace.find(path) != null);
    }

    private boolean isDirectory(String path) throws IOException {
        return system.read(() -> {
            INode inode = namespace.find(path);
            return inode != null && inode.isDirectory();
        });
    }

    private boolean isSetAside(String path) {
        Optional<String> id = layout.datasetOf(path);
        return id.isPresent()
                && datasets.setAside().stream()
                        .anyMatch(aside -> layout.datasetDir(id.get()).equals(aside.storeDir()));
    }

    /** True for the store of a dataset whose directory is gone; that may have come back a moment ago. */
    private boolean isOrphan(String path) throws IOException {
        if (!path.equals(layout.datasetDir(PathNames.name(path)))) {
            return false;
        }
        datasets.load();
        return datasets.orphans().contains(path);
    }

    /** True for a file of a representation that no commit brought: it may stand in the way of one. */
    private boolean isUnpublishedFile(String path) throws IOException {
        return layout.groupOf(path).isPresent()
                && system.read(() -> {
                    INode inode = namespace.find(path);
                    return inode != null && inode.isFile() && !StoredStatistics.isPublished(inode.asFile());
                });
    }

    /** A caller who may not see the path learns nothing else about it. */
    private void refuse(PathCall call, String path) throws IOException {
        try {
            system.callingUser().checkTraverse(call.command(), path);
            throw new AccessControlException("Permission denied: cannot " + call.command() + " " + path + ": "
                    + layout.storeDir() + " is MPSR's own, and only MPSR's commands and commits change it"
                    + advice(call, path));
        } catch (AccessControlException e) {
            counters.increment(Counter.REFUSED_STORE_CALLS);
            system.callingUser().audit(false, call.command(), path, null);
            throw e;
        }
    }

    private String advice(PathCall call, String path) {
        if (call.effect() != PathCall.Effect.REMOVE) {
            return "";
        }
        if (PathNames.isAtOrBelow(path, layout.nodesDir())) {
            return "; to remove the record of a node: hdfs mpsr groups forget";
        }
        return layout.datasetOf(path).isPresent() ? "; to end a dataset: hdfs mpsr dataset drop" : "";
    }
}
