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
package org.hadoopmpsr.core.commit;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a rebuild writes anew: files of segments in one group. The segments stay. Immutable.
 *
 * @param group the group that gets the files
 * @param segments the ids of the segments to which they belong
 * @param replaces the inode ids of the files in whose place they come; none where the files were deleted
 * @param foreign true if, in the default group too, it may replace files with the names of the segments' files that nobody
 *     published. It matters until the commit point alone, and is not kept
 * @param moves true if directories may have other records afterwards, because files that it replaces may hold records of other
 *     partitions than their own. It is not kept either
 */
public record Rebuild(String group, List<String> segments, List<Long> replaces, boolean foreign, boolean moves) {
    /** The id of a rebuild starts with this: names of files tell rebuilt ones. */
    public static final String ID_PREFIX = "rebuild-";

    /** Without foreign files of the default group, and with every record in the directory where it was. */
    public Rebuild(String group, List<String> segments, List<Long> replaces) {
        this(group, segments, replaces, false, false);
    }

    public Rebuild {
        segments = List.copyOf(segments);
        replaces = List.copyOf(replaces);
    }

    /** Why no dataset can have it; empty if one can. */
    Optional<String> problem(String id) {
        if (!id.startsWith(ID_PREFIX)) {
            return Optional.of("the id of a rebuild must start with '" + ID_PREFIX + "'");
        }
        return problem();
    }

    /** Why no change can have it, whatever the change's id; empty if one can. */
    Optional<String> problem() {
        if (segments.isEmpty()) {
            return Optional.of("it names no segment; name the segments whose files it holds");
        }
        Set<String> named = new HashSet<>();
        for (String segment : segments) {
            if (!CommitId.isValid(segment)) {
                return Optional.of("it rebuilds '" + segment + "', which cannot be the id of a segment");
            }
            if (!named.add(segment)) {
                return Optional.of("it rebuilds segment '" + segment + "' twice");
            }
        }
        return problemOfFiles();
    }

    /** Why no change can have its files, whatever its segments; empty if one can. */
    Optional<String> problemOfFiles() {
        Set<Long> files = new HashSet<>();
        for (Long file : replaces) {
            if (file <= 0) {
                return Optional.of("it replaces file " + file + "; inode ids are greater than 0");
            }
            if (!files.add(file)) {
                return Optional.of("it replaces file " + file + " twice");
            }
        }
        return Optional.empty();
    }
}
