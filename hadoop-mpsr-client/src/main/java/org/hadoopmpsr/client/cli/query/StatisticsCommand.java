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
package org.hadoopmpsr.client.cli.query;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.query.QueryKind;
import org.hadoopmpsr.client.query.QueryOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mpsr query statistics}. */
@Command(
        name = "statistics",
        description =
                "Statistics of a column: records, nulls, NaNs, least, greatest, mean, deviation and quantiles; of all"
                        + " records, or of each interval of time. Least, greatest, mean, deviation and quantiles are those of"
                        + " numbers, without nulls and NaNs. Needs the right to read the dataset.",
        mixinStandardHelpOptions = true)
final class StatisticsCommand implements Callable<Integer> {
    @Mixin
    private QueriedRecords records;

    @Option(
            names = "--by",
            paramLabel = "NAMES",
            description = "Statistics for each combination of values of these columns, with commas between.")
    private @Nullable String by;

    @Option(
            names = "--quantiles",
            paramLabel = "SHARES",
            description = "Quantiles too, for shares from 0 to 1 with commas between, such as 0.01,0.5,0.99. The answer"
                    + " states their error.")
    private @Nullable String quantiles;

    @Option(
            names = "--bounds",
            description = "Only records, nulls, least and greatest. Nothing is read where the statistics of files tell"
                    + " these.")
    private boolean bounds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Map<QueryOption, @Nullable String> own = new EnumMap<>(QueryOption.class);
        own.put(QueryOption.BY, by);
        own.put(QueryOption.QUANTILES, quantiles);
        own.put(QueryOption.BOUNDS, bounds ? "" : null);
        return records.run(spec, QueryKind.STATISTICS, own);
    }
}
