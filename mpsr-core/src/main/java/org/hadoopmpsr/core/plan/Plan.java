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
import java.util.stream.Collectors;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * The files to read. If {@link #stock} is true, the reader must read the default representation as it would without
 * MPSR.
 *
 * @param group the chosen group
 * @param files the files of the group that may hold matching records; empty if stock
 * @param candidates all groups with their cost, in configured order
 * @param reason the reason of the choice
 * @param leadRows about how many records of the files have the same value in the group's lead column, on average; 0 if
 *     stock or without files
 */
public record Plan(
        String group, boolean stock, List<DataFile> files, List<Candidate> candidates, String reason, long leadRows) {

    /** The candidates in one line. */
    public String candidatesText() {
        return candidates.stream().map(Candidate::text).collect(Collectors.joining("; "));
    }
}
