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
package org.hadoopmpsr.core.workload;

import java.util.List;
import org.hadoopmpsr.core.plan.Candidate;
import org.jspecify.annotations.Nullable;

/**
 * One query as it was planned.
 *
 * @param group the chosen group; null if the reader was left on the default representation, or nothing tells
 * @param planned what the reader was told to read
 * @param all what the default representation holds
 * @param candidates the groups with what each would have cost; those that could not be chosen are left out
 * @param example the query with its values; null where values are not kept
 */
public record Asked(
        AskedShape asked,
        @Nullable String group,
        Amount planned,
        Amount all,
        List<Candidate> candidates,
        @Nullable String example) {
    /** The most characters of an example. */
    public static final int MOST_TEXT = 300;
    /** The most groups of which costs are kept. */
    private static final int MOST_GROUPS = 16;

    public Asked {
        candidates = candidates.stream()
                .filter(c -> c.excluded() == null)
                .limit(MOST_GROUPS)
                .toList();
        example = example == null || example.length() <= MOST_TEXT ? example : example.substring(0, MOST_TEXT) + "…";
    }

    /** A query of which nothing but its shape and its values are known. */
    public static Asked example(AskedShape asked, String example) {
        return new Asked(asked, null, Amount.NONE, Amount.NONE, List.of(), example);
    }
}
