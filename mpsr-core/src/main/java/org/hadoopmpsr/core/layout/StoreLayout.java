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
package org.hadoopmpsr.core.layout;

import java.util.Optional;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.group.RepresentationName;
import org.jspecify.annotations.Nullable;

/**
 * The paths below the store directory. All are absolute, without scheme and without trailing slash.
 *
 * @param storeDir the value of {@code dfs.mpsr.store.dir}
 */
public record StoreLayout(String storeDir) {
    /** Staged files of commits that are not published. */
    public static final String STAGING = "staging";
    /**
     * Files of commits that are published and not yet all in their final place. The commit point is the move to this
     * directory.
     */
    public static final String PUBLISHING = "publishing";
    /** Directories whose names record the committed offsets. */
    public static final String OFFSETS = "offsets";
    /** Directories whose names are those of segments, and whose attributes record them. */
    public static final String SEGMENTS = "segments";
    /** Files that a change has replaced, for readers that planned or listed before it. */
    public static final String REPLACED = "replaced";

    /** The directory with one directory per group, which has one directory per node. */
    public String nodesDir() {
        return storeDir + "/nodes";
    }

    /** The directory whose existence says that a node belongs to a group. */
    public String nodeDir(String group, String uuid) {
        return nodesDir() + "/" + group + "/" + uuid;
    }

    /** The directory of all datasets. */
    public String datasetsDir() {
        return storeDir + "/datasets";
    }

    /** A dataset's directory in the store. */
    public String datasetDir(String datasetId) {
        return datasetsDir() + "/" + datasetId;
    }

    /** The root of a representation that is not the default group's. */
    public String groupDir(String datasetId, String group) {
        return datasetDir(datasetId) + "/" + group;
    }

    /** The directory for the staged files of a commit, with a directory per group. */
    public String stagingDir(String datasetId, String commitId) {
        return datasetDir(datasetId) + "/" + STAGING + "/" + commitId;
    }

    /** The directory of a commit's files between the commit point and their final places. */
    public String publishingDir(String datasetId, String commitId) {
        return datasetDir(datasetId) + "/" + PUBLISHING + "/" + commitId;
    }

    /** The records of committed offsets. */
    public String offsetsDir(String datasetId) {
        return datasetDir(datasetId) + "/" + OFFSETS;
    }

    /** The records of segments. */
    public String segmentsDir(String datasetId) {
        return datasetDir(datasetId) + "/" + SEGMENTS;
    }

    /** The record of a segment. */
    public String segmentDir(String datasetId, String segment) {
        return segmentsDir(datasetId) + "/" + segment;
    }

    /** The directories of the files that changes have replaced, one for each change. */
    public String replacedDir(String datasetId) {
        return datasetDir(datasetId) + "/" + REPLACED;
    }

    /** The directory of the files that a change has replaced, with a directory per group. */
    public String replacedDir(String datasetId, String changeId) {
        return replacedDir(datasetId) + "/" + changeId;
    }

    /** The id of the dataset whose directory in the store is a path or lies above it; empty for any other path. */
    public Optional<String> datasetOf(String path) {
        String prefix = datasetsDir() + "/";
        if (!path.startsWith(prefix) || path.length() == prefix.length()) {
            return Optional.empty();
        }
        int end = path.indexOf('/', prefix.length());
        return Optional.of(path.substring(prefix.length(), end < 0 ? path.length() : end));
    }

    /** True for the store directory, and for what lies in it or above it. */
    public boolean concerns(String path) {
        return PathNames.isAtOrBelow(path, storeDir) || PathNames.isAtOrBelow(storeDir, path);
    }

    /** True for a path in the store that is not a writer's, below a staging directory. */
    public boolean isOwn(String path) {
        return PathNames.isAtOrBelow(path, storeDir) && stagingDirAbove(path).isEmpty();
    }

    /**
     * The staging directory of the commit below which a path lies, where its writer may write; empty for any other path,
     * and for that directory itself.
     */
    public Optional<String> stagingDirAbove(String path) {
        return datasetOf(path).flatMap(id -> {
            String prefix = datasetDir(id) + "/" + STAGING + "/";
            int end = path.startsWith(prefix) ? path.indexOf('/', prefix.length()) : -1;
            return end <= prefix.length() || end == path.length() - 1
                    ? Optional.empty()
                    : Optional.of(path.substring(0, end));
        });
    }

    /**
     * The commit whose staged or published files a path in the store is one of, or whose directory it is.
     *
     * @return empty for any other path, and for a file in its final place
     */
    public Optional<String> commitOf(@Nullable String path) {
        String[] parts = partsBelowDatasets(path);
        boolean inCommit = parts.length > 2 && (parts[1].equals(STAGING) || parts[1].equals(PUBLISHING));
        return inCommit ? Optional.of(parts[2]) : Optional.empty();
    }

    /**
     * The segment of a staged file, or of one between the commit point and its final place: that of the change, or, for a file of
     * a rebuild or a delete, the one that the name starts with. Decides where the file's blocks are put, and nothing else.
     *
     * @return empty for any other path
     */
    public Optional<String> segmentOf(@Nullable String path) {
        return commitOf(path).map(change -> {
            String name = PathNames.name(String.valueOf(path));
            int end = name.indexOf("-" + change + "-");
            int hyphen = name.indexOf('-', change.length());
            String kept = hyphen > 0 ? name.substring(0, hyphen) : change;
            return end > 0 ? name.substring(0, end) : KeptSegment.isOf(kept, change) ? kept : change;
        });
    }

    /**
     * The replica group of a path in the store: of a representation's file, or of a staged or replaced file.
     *
     * @return empty if the path is outside the store, or belongs to no group
     */
    public Optional<String> groupOf(@Nullable String path) {
        return representationOf(path).map(RepresentationName::group);
    }

    /** The name of the representation of a path in the store; as {@link #groupOf}. */
    public Optional<String> representationOf(@Nullable String path) {
        String[] parts = partsBelowDatasets(path);
        if (parts.length < 2) {
            return Optional.empty();
        }
        return switch (parts[1]) {
            case STAGING, PUBLISHING, REPLACED -> parts.length > 3 ? Optional.of(parts[3]) : Optional.empty();
            case OFFSETS, SEGMENTS -> Optional.empty();
            default -> Optional.of(parts[1]);
        };
    }

    /** The first names of a path below the directory of all datasets; empty for any other path. */
    private String[] partsBelowDatasets(@Nullable String path) {
        if (path == null || !path.startsWith(storeDir)) {
            return new String[0];
        }
        String prefix = datasetsDir() + "/";
        return path.startsWith(prefix) ? path.substring(prefix.length()).split("/", 6) : new String[0];
    }
}
