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
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.cost.Work;

/**
 * A plan that may be chosen: one group for all segments that it can serve, and other groups for the rest.
 *
 * @param candidate the group, with files, bytes and cost of all parts
 * @param estimate the estimate of the group's own files
 * @param others the files that come from other groups
 * @param bound the number of the group's leading predicates whose column the filter binds to values
 */
record PlanOption(Candidate candidate, GroupEstimate estimate, List<OtherGroups.Part> others, int bound) {

    /**
     * The option to read a group.
     *
     * @param own what was found of the group's own files
     */
    static PlanOption of(Candidate own, GroupEstimate estimate, List<OtherGroups.Part> others, int bound) {
        Work work = Work.NONE;
        double costMs = 0;
        for (OtherGroups.Part part : others) {
            work = work.plus(part.tally().work());
            costMs += part.tally().costMs();
        }
        Candidate all = new Candidate(
                own.group(),
                own.files() + work.files(),
                own.bytes() + (long) work.bytes(),
                own.costMs() + costMs,
                own.atLeast(),
                own.elsewhere(),
                own.excluded());
        return new PlanOption(all, estimate, others, bound);
    }

    double costMs() {
        return candidate.costMs();
    }

    /** The parts, the group's own first. */
    List<PlanPart> parts() {
        List<PlanPart> parts = new ArrayList<>();
        parts.add(estimate.part());
        others.forEach(part -> parts.add(part.tally().part(part.segments())));
        return parts;
    }

    /** The reason to choose this option. */
    String reason(PlanOption cheapest, boolean forced) {
        String reason = forced ? "the reader asked for it" : cost(cheapest);
        return others.isEmpty() ? reason : reason + "; " + sources();
    }

    private String cost(PlanOption cheapest) {
        String reason = costMs() == cheapest.costMs()
                ? String.format(Locale.ROOT, "cheapest at %.1f ms", costMs())
                : "about as cheap as " + cheapest.candidate().group() + " and partitioned by what is asked for";
        double local = estimate.localShare();
        return local == 1
                ? reason
                : String.format(
                        Locale.ROOT, "%s, with %.0f %% of its blocks on the reader's hosts", reason, 100 * local);
    }

    /** How many segments come from which group, and why. */
    private String sources() {
        return parts().stream()
                        .map(part -> Candidate.count(part.segmentCount()) + " from " + part.group())
                        .collect(Collectors.joining(", "))
                + " (" + candidate.group() + ": " + estimate.missing().reason() + ")";
    }
}
