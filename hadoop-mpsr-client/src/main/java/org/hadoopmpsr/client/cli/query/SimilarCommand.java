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

/** {@code mpsr query similar}. */
@Command(
        name = "similar",
        description =
                "Windows of records whose values are within a distance of a pattern, the nearest first; or records"
                        + " whose values are within a range, the earliest first. A window has as many records as the pattern has"
                        + " values, which follow each other in time; one with a null, a NaN or an infinite value is not similar."
                        + " Needs the right to read the dataset.",
        mixinStandardHelpOptions = true)
final class SimilarCommand implements Callable<Integer> {
    @Mixin
    private QueriedRecords records;

    @Option(
            names = "--pattern",
            paramLabel = "VALUES",
            description = "The values of the pattern, with commas between, such as 0,1,0.")
    private @Nullable String pattern;

    @Option(
            names = "--distance",
            paramLabel = "NUMBER",
            description = "The most Euclidean distance from the pattern: the root of the sum of squared differences.")
    private @Nullable String distance;

    @Option(
            names = "--normalized",
            description = "Compare shapes: pattern and windows are shifted and scaled to mean 0 and deviation 1.")
    private boolean normalized;

    @Option(names = "--least", paramLabel = "NUMBER", description = "The least value of the range.")
    private @Nullable String least;

    @Option(names = "--most", paramLabel = "NUMBER", description = "The greatest value of the range.")
    private @Nullable String most;

    @Option(
            names = "--by",
            paramLabel = "NAMES",
            description = "A series for each combination of values of these columns, with commas between.")
    private @Nullable String by;

    @Option(
            names = "--of",
            paramLabel = "STATISTIC",
            description = "With --interval, the statistic of each interval that takes the place of its values: records,"
                    + " nulls, nans, min, max, mean or deviation.")
    private @Nullable String of;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Map<QueryOption, @Nullable String> own = new EnumMap<>(QueryOption.class);
        own.put(QueryOption.PATTERN, pattern);
        own.put(QueryOption.DISTANCE, distance);
        own.put(QueryOption.NORMALIZED, normalized ? "" : null);
        own.put(QueryOption.LEAST, least);
        own.put(QueryOption.MOST, most);
        own.put(QueryOption.BY, by);
        own.put(QueryOption.OF, of);
        return records.run(spec, QueryKind.SIMILAR, own);
    }
}
