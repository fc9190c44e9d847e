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

/** {@code mpsr query chart}. */
@Command(
        name = "chart",
        description = "The points that a line chart shows: of each column of pixels the first, the last, the lowest and"
                + " the highest record. Lines between them cover the pixels that lines between all records cover (M4)."
                + " Nulls and NaNs are left out. Needs the right to read the dataset.",
        mixinStandardHelpOptions = true)
final class ChartCommand implements Callable<Integer> {
    @Mixin
    private QueriedRecords records;

    @Option(names = "--width", paramLabel = "PIXELS", description = "The width of the chart. Default: 1000.")
    private @Nullable String width;

    @Option(
            names = "--by",
            paramLabel = "NAMES",
            description = "A chart for each combination of values of these columns, with commas between.")
    private @Nullable String by;

    @Option(
            names = "--of",
            paramLabel = "STATISTIC",
            description =
                    "With --interval, the statistic of each interval that is shown: records, nulls, nans, min, max,"
                            + " mean or deviation.")
    private @Nullable String of;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Map<QueryOption, @Nullable String> own = new EnumMap<>(QueryOption.class);
        own.put(QueryOption.WIDTH, width);
        own.put(QueryOption.BY, by);
        own.put(QueryOption.OF, of);
        return records.run(spec, QueryKind.CHART, own);
    }
}
