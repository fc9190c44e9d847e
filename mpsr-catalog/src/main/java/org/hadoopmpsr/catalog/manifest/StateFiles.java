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
package org.hadoopmpsr.catalog.manifest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All files of a group in the state after a change.
 *
 * @param files in the order of their paths
 * @param change the number of the change
 * @param before that of the last change before of which the state can be read; null if there is none
 */
record StateFiles(
        List<ListedFile> files, long change, @Nullable Long before) {}
