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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.core.plan.Candidate;
import org.jspecify.annotations.Nullable;

/**
 * The sums over the queries of one class. Immutable.
 *
 * @param queries the number of queries
 * @param repeats of these, the queries that a reader asked again while its plan still held; they count with the numbers of the
 *     query of this class that was planned last
 * @param stock of the queries, those that were left on the default representation; they have no part in the sums of what was
 *     planned
 * @param firstMs the time of the first query, in milliseconds since the epoch
 * @param lastMs the time of the last query
 * @param measures for each term of the shape the sum of its measures; NaN for terms that no number tells
 * @param planned the sum of what readers were told to read
 * @param all the sum of what the default representation held
 * @param groups by name what planning found of each group
 * @param reports how many readers told how long they took
 * @param reportedMs the sum of the milliseconds that they took
 * @param last the query that was planned last; null if none was planned here
 */
public record QueryTally(
        long queries,
        long repeats,
        long stock,
        long firstMs,
        long lastMs,
        List<Double> measures,
        Amount planned,
        Amount all,
        Map<String, GroupTally> groups,
        long reports,
        double reportedMs,
        @Nullable Asked last) {
    /** Of no query. */
    static final QueryTally NONE =
            new QueryTally(0, 0, 0, 0, 0, List.of(), Amount.NONE, Amount.NONE, Map.of(), 0, 0, null);

    public QueryTally {
        measures = List.copyOf(measures);
        groups = Collections.unmodifiableMap(new TreeMap<>(groups));
    }

    /** These sums with one more query. */
    QueryTally plus(Asked asked, long timeMs, boolean again) {
        boolean isStock = asked.group() == null;
        Map<String, GroupTally> more = new TreeMap<>(groups);
        for (Candidate candidate : asked.candidates()) {
            more.merge(
                    candidate.group(),
                    GroupTally.NONE.plus(candidate, candidate.group().equals(asked.group())),
                    (sum, one) -> sum.plus(candidate, candidate.group().equals(asked.group())));
        }
        return new QueryTally(
                queries + 1,
                repeats + (again ? 1 : 0),
                stock + (isStock ? 1 : 0),
                queries == 0 ? timeMs : firstMs,
                Math.max(lastMs, timeMs),
                sum(asked.asked().measures()),
                isStock ? planned : planned.plus(asked.planned()),
                isStock ? all : all.plus(asked.all()),
                more,
                reports,
                reportedMs,
                asked);
    }

    /** These sums with the time that a reader took. */
    QueryTally took(double ms) {
        return new QueryTally(
                queries,
                repeats,
                stock,
                firstMs,
                lastMs,
                measures,
                planned,
                all,
                groups,
                reports + 1,
                reportedMs + ms,
                last);
    }

    private List<Double> sum(List<Double> more) {
        if (measures.isEmpty()) {
            return more;
        }
        List<Double> sums = new ArrayList<>(more.size());
        for (int i = 0; i < more.size(); i++) {
            sums.add(measures.get(i) + more.get(i));
        }
        return sums;
    }

    /** The queries that were given a group. */
    public long plannedQueries() {
        return queries - stock;
    }

    /** The mean of a term's measures; NaN if no number tells it. */
    public double measure(int term) {
        return measures.get(term) / queries;
    }
}
