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
package org.hadoopmpsr.namenode.rights;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Follows changes of rights below dataset directories, and of what lies there. Outside of datasets, and in those whose
 * rights nobody has asked for, nothing is done. Must be called without the namesystem's lock. Thread-safe.
 */
public final class RightsChanges {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final Map<Long, RightsBelow> byHome;

    /** @param byHome the known rights, by the inode id of the dataset directory */
    RightsChanges(MpsrNamesystem system, Namespace namespace, Map<Long, RightsBelow> byHome) {
        this.system = system;
        this.namespace = namespace;
        this.byHome = byHome;
    }

    /** The rights of a path were changed, or it was deleted or moved away. */
    public void changed(String path) throws IOException {
        Above above = above(path);
        if (above != null) {
            system.read(() -> {
                add(above.home, above.below, find(path));
                return true;
            });
            above.below.disappeared();
        }
    }

    /** Something was moved to a path, or into the directory there. */
    public void moved(String from, String to) throws IOException {
        if (byHome.isEmpty()) {
            return;
        }
        changed(from);
        String target = system.read(() -> {
            INode directory = find(to);
            String inside = to + "/" + PathNames.name(from);
            return directory != null && directory.isDirectory() && find(inside) != null ? inside : to;
        });
        Above above = above(target);
        if (above != null) {
            changed(target);
            namespace.walk(target, (name, file) -> {
                if (StoredStatistics.isPublished(file)) {
                    add(above.home, above.below, file);
                }
                return true;
            });
        }
    }

    /** What is at a path; null if that is nothing, or a link. Needs the read lock. */
    private @Nullable INode find(String path) throws IOException {
        try {
            return namespace.find(path);
        } catch (UnresolvedLinkException e) {
            return null;
        }
    }

    /** The known dataset directory above a path. */
    private record Above(long home, RightsBelow below) {}

    private @Nullable Above above(String path) throws IOException {
        if (byHome.isEmpty()) {
            return null;
        }
        return system.read(() -> {
            INode at = null;
            for (String parent = path; at == null && !parent.equals("/"); ) {
                parent = PathNames.parent(parent);
                at = find(parent);
            }
            for (; at != null; at = at.getParent()) {
                RightsBelow below = byHome.get(at.getId());
                if (below != null) {
                    return new Above(at.getId(), below);
                }
            }
            return null;
        });
    }

    /** A change whose completion the caller may learn at any time. */
    public interface Change extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /**
     * Must be called before such a change of a path, and closed after it.
     *
     * @param target where the path is moved to, or null if it stays
     */
    public Change changing(String path, @Nullable String target) throws IOException {
        List<RightsBelow> all = new ArrayList<>();
        for (String each : target == null ? List.of(path) : List.of(path, target)) {
            Above above = above(each);
            if (above != null) {
                all.add(above.below);
            }
        }
        all.forEach(RightsBelow::changing);
        return () -> {
            try {
                if (target == null) {
                    changed(path);
                } else {
                    moved(path, target);
                }
            } finally {
                all.forEach(RightsBelow::changed);
            }
        };
    }

    /** Adds the rights of a file or directory, and of the directories above it. Needs the namesystem's lock. */
    static void add(long home, RightsBelow below, @Nullable INode inode) {
        each(home, inode, below::add);
    }

    /** Gives the rights of a file or directory, and of the directories between it and the dataset directory. */
    static void each(long home, @Nullable INode inode, Consumer<NodeRights> to) {
        for (INode at = inode; at != null && at.getId() != home; at = at.getParent()) {
            to.accept(NodeRights.of(at));
        }
    }
}
