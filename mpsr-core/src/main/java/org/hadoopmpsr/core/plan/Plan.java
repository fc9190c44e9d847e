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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * The files to read. If {@link #stock} is true, the reader must read the default representation as it would without
 * MPSR.
 *
 * @param parts the parts to read, each of another group; the first one is of the chosen group. One part for all
 *     segments, unless the chosen group cannot serve some. If stock, one part of the default group without files
 * @param candidates all groups with their cost, in configured order
 * @param reason the reason of the choice
 */
public record Plan(boolean stock, List<PlanPart> parts, List<Candidate> candidates, String reason) {
    public Plan {
        parts = List.copyOf(parts);
    }

    /** The chosen group, from which all segments come that this group can serve. */
    public String group() {
        return parts.get(0).group();
    }

    /** True if the segments come from several groups. */
    public boolean isUnion() {
        return parts.size() > 1;
    }

    /** The files of all parts, in the order of the parts. */
    public List<DataFile> files() {
        if (!isUnion()) {
            return parts.get(0).files();
        }
        List<DataFile> files = new ArrayList<>();
        parts.forEach(part -> files.addAll(part.files()));
        return Collections.unmodifiableList(files);
    }

    /** The candidates in one line. */
    public String candidatesText() {
        return candidatesText(candidates);
    }

    static String candidatesText(List<Candidate> candidates) {
        return candidates.stream().map(Candidate::text).collect(Collectors.joining("; "));
    }
}
