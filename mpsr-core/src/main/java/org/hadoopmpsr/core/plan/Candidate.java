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

import java.util.Locale;
import org.hadoopmpsr.core.cost.CostModel;
import org.jspecify.annotations.Nullable;

/**
 * A group as planning evaluated it.
 *
 * @param files the number of files after pruning
 * @param bytes about how many bytes of these files are read
 * @param costMs the estimated milliseconds, see {@link CostModel}
 * @param atLeast true if the group was given up as too expensive before all its files were evaluated: files, bytes and
 *     cost are then lower limits
 * @param elsewhere the number of segments that must come from other groups, because this one cannot serve them; files,
 *     bytes and cost include them
 * @param excluded the reason why the group cannot be chosen, or null if it can
 */
public record Candidate(
        String group,
        int files,
        long bytes,
        double costMs,
        boolean atLeast,
        int elsewhere,
        @Nullable String excluded) {

    /** The candidate in one phrase, as EXPLAIN shows it. */
    public String text() {
        return excluded != null
                ? group + ": " + excluded
                : String.format(
                        Locale.ROOT,
                        "%s: %s%d files, %d bytes, %.1f ms%s",
                        group,
                        atLeast ? "at least " : "",
                        files,
                        bytes,
                        costMs,
                        elsewhere == 0 ? "" : " with " + count(elsewhere) + " from other groups");
    }

    /** A number of segments in words. */
    static String count(int segments) {
        return segments == 1 ? "1 segment" : segments + " segments";
    }
}
