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

/** {@code mpsr query heatmap}. */
@Command(
        name = "heatmap",
        description = "Statistics for each value of a column, such as a device, and each column of pixels of a picture:"
                + " the begin of the cell, records, nulls, NaNs, least, greatest, mean and deviation. Cells without"
                + " records are left out. Needs the right to read the dataset.",
        mixinStandardHelpOptions = true)
final class HeatMapCommand implements Callable<Integer> {
    @Mixin
    private QueriedRecords records;

    @Option(names = "--by", required = true, paramLabel = "NAME", description = "The column of the rows of cells.")
    private @Nullable String by;

    @Option(names = "--width", paramLabel = "PIXELS", description = "The most cells of a row. Default: 1000.")
    private @Nullable String width;

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
        own.put(QueryOption.BY, by);
        own.put(QueryOption.WIDTH, width);
        own.put(QueryOption.OF, of);
        return records.run(spec, QueryKind.HEATMAP, own);
    }
}
