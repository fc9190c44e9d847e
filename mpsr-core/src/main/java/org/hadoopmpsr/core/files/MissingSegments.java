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
package org.hadoopmpsr.core.files;

import java.util.Set;

/**
 * The segments of which a group cannot give all records that a request needs: files are lost, changed or gone, or the
 * group was never given the segment. Of every other segment the group has all records. Immutable.
 *
 * @param ids the ids of the segments
 * @param reason a phrase for users; empty if no segment is missing
 */
public record MissingSegments(Set<String> ids, String reason) {
    /** No segment is missing. */
    public static final MissingSegments NONE = new MissingSegments(Set.of(), "");

    public MissingSegments {
        ids = Set.copyOf(ids);
    }
}
