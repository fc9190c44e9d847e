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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.Term;
import org.jspecify.annotations.Nullable;

/**
 * Makes up queries that stand for a class: conditions as selective as those of the class on average, around values of sampled records. Single
 * values are such as are there, where some are known: a query of a trial finds records.
 * Conditions that prune nothing whatever the group are left out.
 */
final class Questions {
    /** Queries of one class. */
    private static final int EXAMPLES = 3;
    /** The share of a range of which nothing tells how large it is. */
    private static final double UNKNOWN_SHARE = 0.1;
    /** The most values of a made-up condition. */
    private static final int MOST_VALUES = 1_000;

    private final DataSample sample;
    private final Random random;
    private final List<List<Object>> sorted = new ArrayList<>();

    private Questions(DataSample sample, long seed) {
        this.sample = sample;
        this.random = new Random(seed);
        for (int c = 0; c < sample.schema().columns().size(); c++) {
            sorted.add(sample.sorted(c));
        }
    }

    /**
     * The questions of a workload.
     *
     * @param classes those that count; one without queries is left out
     * @param seed equal seeds give equal queries
     */
    static List<Question> of(List<QueryClass> classes, DataSample sample, long seed) {
        Questions questions = new Questions(sample, seed);
        return classes.stream()
                .filter(c -> c.tally().queries() > 0)
                .map(questions::of)
                .toList();
    }

    private Question of(QueryClass queries) {
        List<ReadRequest> examples = new ArrayList<>();
        for (int i = 0; i < EXAMPLES; i++) {
            DataSample.Row around =
                    sample.rows().get(random.nextInt(sample.rows().size()));
            List<Filter> conditions = new ArrayList<>();
            List<Term> terms = queries.shape().terms();
            for (int t = 0; t < terms.size(); t++) {
                Filter condition = condition(terms.get(t), queries.tally().measure(t), around);
                if (condition != null) {
                    conditions.add(condition);
                }
            }
            List<String> columns = queries.shape().columns();
            examples.add(new ReadRequest(new Filter.And(conditions), columns == null ? null : Set.copyOf(columns)));
        }
        return new Question(queries, queries.tally().queries(), examples);
    }

    private @Nullable Filter condition(Term term, double measure, DataSample.Row around) {
        int place = sample.place(term.column());
        if (place < 0 || term.columns().size() != 1 || sorted.get(place).isEmpty()) {
            return null;
        }
        String column = term.column();
        return switch (term.operator()) {
            case ONE_OF -> new Filter.In(column, values(place, measure, around));
            case RANGE, PREFIX -> range(column, place, Double.isNaN(measure) ? UNKNOWN_SHARE : measure, around);
            case NULL, NOT_NULL, OTHER -> null;
        };
    }

    private List<Object> values(int place, double measure, DataSample.Row around) {
        int count = (int) Math.min(MOST_VALUES, Math.max(1, Double.isNaN(measure) ? 1 : Math.round(measure)));
        Set<Object> values = new LinkedHashSet<>();
        List<Object> real =
                sample.real().get(sample.schema().columns().get(place).name().toLowerCase(Locale.ROOT));
        List<Object> known = real == null ? sorted.get(place) : real;
        Object first = around.values().get(place);
        if (first != null && real == null) {
            values.add(first);
        }
        for (int tries = 0; values.size() < count && tries < 4 * count; tries++) {
            values.add(known.get(random.nextInt(known.size())));
        }
        return List.copyOf(values);
    }

    /** Numbers have a share of the values between the bounds, as ranges are measured; other values one of the sampled values. */
    private Filter range(String column, int place, double share, DataSample.Row around) {
        List<Object> known = sorted.get(place);
        Object min = known.get(0);
        Object max = known.get(known.size() - 1);
        double before = random.nextDouble() * share;
        Object own = around.values().get(place);
        Object value = own == null ? known.get(random.nextInt(known.size())) : own;
        if (min instanceof Long a && max instanceof Long b && value instanceof Long v) {
            double span = (double) b - a;
            double low = Math.max(a, Math.min(v - before * span, b - share * span));
            return between(column, (long) low, (long) Math.ceil(Math.max(low, low + share * span)));
        }
        if (min instanceof Double a && max instanceof Double b && value instanceof Double v) {
            double span = b - a;
            double low = Math.max(a, Math.min(v - before * span, b - share * span));
            return between(column, low, low + share * span);
        }
        int low = (int) (random.nextDouble() * (1 - share) * (known.size() - 1));
        int high = (int) Math.min(known.size() - 1.0, low + Math.ceil(share * known.size()));
        return between(column, known.get(low), known.get(high));
    }

    private static Filter between(String column, Object low, Object high) {
        return new Filter.And(List.of(
                new Filter.Compare(Filter.Operator.GE, column, low),
                new Filter.Compare(Filter.Operator.LE, column, high)));
    }
}
