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

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that the kernel knows by a number. What lies at its path now may be another file: {@link #fileId} tells. The
 * fields that change are guarded by the {@link NodeTable}.
 */
final class Node {
    private final long id;
    private final long fileId;
    private final Kind kind;
    /** Where it lies, if not in its parent. */
    private final @Nullable String base;
    /** The children that the kernel knows, by name. */
    private final Map<String, Node> children = new HashMap<>();

    private @Nullable Node parent;
    private String name;
    private long lookups;
    private long seenLength = -1;
    private long seenModificationMs = -1;

    /** What a node stands for. */
    enum Kind {
        /** A file or directory of HDFS. */
        PLAIN,
        /** The directory that a dataset directory has for its groups, which is in the mount only. */
        GROUPS,
        /** A directory of a group, reached by its name in {@link #GROUPS}. */
        GROUP
    }

    Node(long id, @Nullable Node parent, String name, Place place) {
        this.id = id;
        this.parent = parent;
        this.name = name;
        this.fileId = place.fileId();
        this.kind = place.kind();
        this.base = place.base();
    }

    /**
     * What is found under a name.
     *
     * @param fileId the number that HDFS gave it
     * @param base its path, if that is not its parent's with its name
     */
    record Place(long fileId, Kind kind, @Nullable String base) {
        static Place plain(long fileId) {
            return new Place(fileId, Kind.PLAIN, null);
        }
    }

    long id() {
        return id;
    }

    long fileId() {
        return fileId;
    }

    Kind kind() {
        return kind;
    }

    Map<String, Node> children() {
        return children;
    }

    @Nullable
    Node parent() {
        return parent;
    }

    String name() {
        return name;
    }

    boolean is(Place place) {
        return fileId == place.fileId() && kind == place.kind();
    }

    void moveTo(Node newParent, String newName) {
        parent = newParent;
        name = newName;
    }

    /** Remembers what a file was like when it was opened. True if it was the same the last time. */
    synchronized boolean isAsBefore(long length, long modificationMs) {
        boolean same = length == seenLength && modificationMs == seenModificationMs;
        seenLength = length;
        seenModificationMs = modificationMs;
        return same;
    }

    void count(long entries) {
        lookups += entries;
    }

    boolean isForgotten() {
        return lookups <= 0;
    }

    /** True below {@link Kind#GROUPS}, where nothing is written. */
    boolean isOfGroups() {
        for (Node node = this; node != null; node = node.parent) {
            if (node.kind != Kind.PLAIN) {
                return true;
            }
        }
        return false;
    }

    /** The path in HDFS, without scheme. That of {@link Kind#GROUPS} is the dataset directory's. */
    String path() {
        StringBuilder names = new StringBuilder();
        Node node = this;
        while (node.base == null && node.parent != null) {
            names.insert(0, "/" + node.name);
            node = node.parent;
        }
        String above = node.base == null || node.base.equals(Path.SEPARATOR) ? "" : node.base;
        String path = above + names;
        return path.isEmpty() ? Path.SEPARATOR : path;
    }
}
