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
package org.hadoopmpsr.namenode.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.Verification.Look;
import org.jspecify.annotations.Nullable;

/**
 * An earlier state of a dataset. Immutable.
 *
 * @param index the files that the dataset had, with the paths that they had: who reads a replaced file by such a path gets it
 * @param sequence the number of the change after which the dataset was so
 * @param last the number of the last change
 * @param incomplete by group the segments of which the group does not have all files any more
 */
public record PastState(DatasetIndex index, long sequence, long last, Map<String, Set<String>> incomplete) {

    public PastState {
        incomplete = Map.copyOf(incomplete);
    }

    /** What is wrong with groups, with what they lack of this state. */
    public Map<String, Look> damaged(Map<String, Look> now) {
        Map<String, Look> all = new HashMap<>(now);
        incomplete.forEach((group, segments) -> all.put(group, with(all.get(group), segments)));
        return all;
    }

    private static Look with(@Nullable Look look, Set<String> segments) {
        String problem = "files that were replaced are gone";
        if (look == null) {
            return new Look(0, 0, false, problem, Set.of(), segments, null);
        }
        Set<String> both = new HashSet<>(segments);
        if (look.incompleteSegments() != null) {
            both.addAll(look.incompleteSegments());
        }
        return new Look(
                look.untrackedFiles(),
                look.restoredFiles(),
                look.differs(),
                look.problem() + "; " + problem,
                look.damagedFiles(),
                both,
                look.ordinary());
    }

    /** The text that this state adds to the reason of a plan. */
    public String note() {
        return "; as of change " + sequence + " of " + last;
    }
}
