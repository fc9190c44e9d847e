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
package org.hadoopmpsr.core.rebuild;

/**
 * What one change rebuilds, for operators. Immutable.
 *
 * @param group the group that is rebuilt
 * @param segments the number of segments
 * @param files the number of files that are replaced; those that were deleted are not counted
 * @param bytes the length of these files
 * @param falseFiles true if a scrub has found some of them to be false; else the NameNode knows the damage
 */
public record RebuildScope(String group, int segments, int files, long bytes, boolean falseFiles) {
    /** @throws IllegalArgumentException if a number is negative, with a message for the caller */
    public RebuildScope {
        if (segments < 0 || files < 0 || bytes < 0) {
            throw new IllegalArgumentException("a rebuild in group '" + group + "' has a number below 0; segments: "
                    + segments + ", files: " + files + ", bytes: " + bytes);
        }
    }
}
