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
package org.hadoopmpsr.core.plan;

import java.util.List;
import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * The files to read of one group. Each record of a segment lies in one file of each group, and the parts of a plan have
 * no segment in common: together they have each record once.
 *
 * @param group the name of the group
 * @param segments the segments that this part reads
 * @param segmentCount the number of segments that the files belong to; 0 if the plan has one part
 * @param files the files that may hold matching records, without column statistics, because there may be many files
 * @param leadRows about how many records of the files have the same value in the group's lead column, on average; 0
 *     without files
 */
public record PlanPart(String group, Segments segments, int segmentCount, List<DataFile> files, long leadRows) {}
