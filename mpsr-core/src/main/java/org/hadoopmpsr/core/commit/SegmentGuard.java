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
package org.hadoopmpsr.core.commit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Decides whether a rewrite may be published: the segments that it removes must be current. */
public final class SegmentGuard {

    private SegmentGuard() {}

    /**
     * What is known of a segment.
     *
     * @param current true if files of it lie in the groups' directories
     * @param replacedBy the change that has removed it, if a record says so; else null
     */
    public record State(boolean current, @Nullable String replacedBy) {}

    /**
     * Decides on a rewrite.
     *
     * @param published true if the dataset has the segment that the rewrite makes, or has had it
     * @param states what is known of the segments to remove
     */
    public static Fence.Decision decide(
            String changeId, boolean published, List<String> removes, Map<String, State> states) {
        if (published) {
            return new Fence.Decision(Fence.Verdict.ALREADY_COMMITTED, "");
        }
        return current(changeId, "replaces", removes, states);
    }

    /**
     * Decides on a rebuild.
     *
     * @param published true if its files are in the dataset, or were
     * @param states what is known of the segments
     * @param gone the first file that it replaces and that is not in its place any more; empty if all are
     */
    public static Fence.Decision decide(
            String changeId, boolean published, Rebuild rebuild, Map<String, State> states, OptionalLong gone) {
        if (published) {
            return new Fence.Decision(Fence.Verdict.ALREADY_COMMITTED, "");
        }
        Fence.Decision current = current(changeId, "rebuilds", rebuild.segments(), states);
        return current.verdict() != Fence.Verdict.OPEN || gone.isEmpty()
                ? current
                : new Fence.Decision(
                        Fence.Verdict.FENCED,
                        "change " + changeId + " replaces the file with the inode id " + gone.getAsLong()
                                + ", but group '" + rebuild.group() + "' has no such file of these segments any more"
                                + ": drop the staged files and ask for the damage again");
    }

    /**
     * Decides on an acceptance.
     *
     * @param published true if the dataset has its segment, or has had it
     * @param gone the first file that was read and is not in its place any more; empty if all are
     */
    public static Fence.Decision decideAcceptance(
            String changeId, boolean published, Rebuild accepted, Map<String, State> states, OptionalLong gone) {
        if (published) {
            return new Fence.Decision(Fence.Verdict.ALREADY_COMMITTED, "");
        }
        Fence.Decision current = current(changeId, "accepts", accepted.segments(), states);
        return current.verdict() != Fence.Verdict.OPEN || gone.isEmpty()
                ? current
                : new Fence.Decision(
                        Fence.Verdict.FENCED,
                        "change " + changeId + " accepts the file with the inode id " + gone.getAsLong()
                                + ", which is no file of these segments any more: drop the staged files, and look again"
                                + " at what group '" + accepted.group() + "' has");
    }

    /**
     * Decides on an adoption.
     *
     * @param published true if the dataset has its segment, or has had it
     * @param changed what has become of the first file that is not as the job has read it; empty if all are
     */
    public static Fence.Decision decideAdoption(String changeId, boolean published, Optional<String> changed) {
        if (published) {
            return new Fence.Decision(Fence.Verdict.ALREADY_COMMITTED, "");
        }
        return changed.map(what -> new Fence.Decision(
                        Fence.Verdict.FENCED,
                        "change " + changeId + " adopts files of ordinary writers, and " + what
                                + ": drop the staged files, and ask again which files are not in all groups"))
                .orElseGet(() -> new Fence.Decision(Fence.Verdict.OPEN, ""));
    }

    /** Fences a change one of whose segments is not current any more. */
    private static Fence.Decision current(
            String changeId, String does, List<String> segments, Map<String, State> states) {
        State unknown = new State(false, null);
        for (String segment : segments) {
            State state = states.getOrDefault(segment, unknown);
            if (!state.current()) {
                return new Fence.Decision(
                        Fence.Verdict.FENCED,
                        "change " + changeId + " " + does + " segment " + segment + ", but "
                                + (state.replacedBy() == null
                                        ? "the dataset has no such segment"
                                        : "change " + state.replacedBy() + " has replaced it already")
                                + ": drop the staged files and plan anew");
            }
        }
        return new Fence.Decision(Fence.Verdict.OPEN, "");
    }
}
