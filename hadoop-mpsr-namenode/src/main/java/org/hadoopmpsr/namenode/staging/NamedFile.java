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
package org.hadoopmpsr.namenode.staging;

import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * A file of a change, as the request names it.
 *
 * @param source where it is staged
 * @param target where it is published
 * @param length as in {@link StagedFile}
 */
public record NamedFile(String group, String source, String target, FileStatistics statistics, long length) {}
