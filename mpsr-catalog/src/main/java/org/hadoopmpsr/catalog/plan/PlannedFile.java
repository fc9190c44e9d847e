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
package org.hadoopmpsr.catalog.plan;

import org.hadoopmpsr.catalog.table.GroupSpec;

/**
 * A file of a group that a scan reads.
 *
 * @param path absolute, without scheme
 * @param length in bytes
 * @param rows the number of its records
 */
public record PlannedFile(GroupSpec spec, String path, long length, long rows) {
    /** Of the path alone, which no other file has: that of a group would be of all of its parts. */
    @Override
    public int hashCode() {
        return path.hashCode();
    }
}
