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
package org.hadoopmpsr.core.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.workload.QueryClass;

/**
 * What is advised.
 *
 * @param groups the advised groups, the default group first
 * @param today the present groups
 * @param classes the classes that count, with what each costs
 * @param covered the share of all queries that these classes have, from 0 to 1
 * @param candidates how many layouts were compared
 * @param optimal true if all ways to choose among them were looked at
 * @param reasons for each advised group why, in a sentence
 */
public record Advice(
        List<ReplicaGroup> groups,
        List<ReplicaGroup> today,
        List<OfClass> classes,
        double covered,
        int candidates,
        boolean optimal,
        Map<String, String> reasons) {
    public Advice {
        groups = List.copyOf(groups);
        today = List.copyOf(today);
        classes = List.copyOf(classes);
        reasons = Map.copyOf(reasons);
    }

    /** What one query reads, on average, as the planner estimates it. */
    public record Estimate(String group, double files, double bytes, double costMs) {}

    /**
     * What a class of queries costs.
     *
     * @param stock in the default group
     * @param today in the present groups
     * @param advised in the advised groups
     */
    public record OfClass(QueryClass queries, Estimate stock, Estimate today, Estimate advised) {}

    /** The milliseconds of all queries of the counted classes in the default group. */
    public double stockMs() {
        return classes.stream()
                .mapToDouble(c -> c.queries().tally().queries() * c.stock().costMs())
                .sum();
    }

    /** The milliseconds of all queries of the counted classes in the present groups. */
    public double todayMs() {
        return classes.stream()
                .mapToDouble(c -> c.queries().tally().queries() * c.today().costMs())
                .sum();
    }

    /** The milliseconds of all queries of the counted classes in the advised groups. */
    public double advisedMs() {
        return classes.stream()
                .mapToDouble(c -> c.queries().tally().queries() * c.advised().costMs())
                .sum();
    }

    /** True if the present groups are advised. */
    public boolean isAsToday() {
        return groups.stream()
                .map(Layout::of)
                .toList()
                .equals(today.stream().map(Layout::of).toList());
    }

    /**
     * This advice with so many copies in all groups together: one in each, and further ones one after the other in the groups that take
     * the most time for each copy that they have.
     *
     * @throws IllegalArgumentException if there are fewer copies than groups
     */
    public Advice withCopies(int budget) {
        if (budget < groups.size()) {
            throw new IllegalArgumentException(groups.size() + " groups need as many copies, and " + budget
                    + " are allowed; allow more, or want fewer groups");
        }
        int[] copies = new int[groups.size()];
        Arrays.fill(copies, 1);
        for (int left = budget - copies.length; left > 0; left--) {
            int most = 0;
            for (int g = 1; g < copies.length; g++) {
                most = ms(g) / copies[g] > ms(most) / copies[most] ? g : most;
            }
            copies[most]++;
        }
        List<ReplicaGroup> others = new ArrayList<>();
        for (int g = 0; g < copies.length; g++) {
            ReplicaGroup group = groups.get(g);
            others.add(new ReplicaGroup(group.name(), group.predicates(), group.sort(), copies[g], group.codec()));
        }
        return new Advice(others, today, classes, covered, candidates, optimal, reasons);
    }

    /** The milliseconds of all queries that a group answers. */
    private double ms(int group) {
        return classes.stream()
                .filter(c -> c.advised().group().equals(groups.get(group).name()))
                .mapToDouble(c -> c.queries().tally().queries() * c.advised().costMs())
                .sum();
    }
}
