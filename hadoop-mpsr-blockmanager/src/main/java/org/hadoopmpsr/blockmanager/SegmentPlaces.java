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
package org.hadoopmpsr.blockmanager;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.hadoopmpsr.core.alloc.ScatterWidth;
import org.hadoopmpsr.core.alloc.SegmentFiles;

/**
 * Which files have homes, and how many. Both functions are thread-safe.
 *
 * @param widthOf the number of homes that the files of a segment have in a replica group
 * @param segmentOf the segment of a path in a replica group; empty for a path that is no file of a known segment. May wait for the
 *     namesystem's read lock, and is called only for a group whose width is not {@link ScatterWidth#ALL}
 */
public record SegmentPlaces(
        Function<String, ScatterWidth> widthOf, BiFunction<String, String, Optional<SegmentFiles>> segmentOf) {
    /** No file has homes. */
    public static final SegmentPlaces NONE =
            new SegmentPlaces(group -> ScatterWidth.ALL, (path, group) -> Optional.empty());

    /** The segment of a path of the group, if the group's files have homes. */
    Optional<SegmentFiles> of(String path, String group) {
        return widthOf.apply(group).isAll() ? Optional.empty() : segmentOf.apply(path, group);
    }
}
