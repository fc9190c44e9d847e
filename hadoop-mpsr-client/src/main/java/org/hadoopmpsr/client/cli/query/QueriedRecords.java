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
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.query.QueryKind;
import org.hadoopmpsr.client.query.QueryOption;
import org.hadoopmpsr.client.query.QueryOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which records a query is about, and how its answer is printed. */
final class QueriedRecords {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "DATASET", description = "The dataset's directory.")
    private String path = "";

    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "Only the records for which a condition in Spark's SQL is true, such as \"signal = 'X'\".")
    private @Nullable String where;

    @Option(names = "--column", required = true, paramLabel = "NAME", description = "The column of values; numbers.")
    private String column = "";

    @Option(
            names = "--time",
            paramLabel = "NAME",
            description = "The column of times. Default: the only one of the dataset.")
    private @Nullable String time;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description =
                    "The first time: a day (2014-05-01), a time in UTC (2014-05-01T06:00:00), or a whole number in"
                            + " the column's unit. Default: that of the first record.")
    private @Nullable String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            description = "The time behind the last one. Default: the last record still takes part.")
    private @Nullable String to;

    @Option(
            names = "--interval",
            paramLabel = "LENGTH",
            description = "Make statistics for each interval of this length first, such as 10m, 1h, 7d, 500ms, 100us or"
                    + " 50ns. Intervals begin at midnight of 1970-01-01, UTC, and every length after and before it.")
    private @Nullable String interval;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The most rows of the answer. A query for similar records or windows gives the best ones,"
                    + " usually 10. Others fail if there are more, usually than 100000.")
    private @Nullable String limit;

    @Option(
            names = "--cache",
            paramLabel = "DIRECTORY",
            description =
                    "Keep what each file answered in a directory of yours, so that the same query reads only files"
                            + " that are new since. It is made if there is none, and nobody else may use it.")
    private @Nullable String cache;

    @Option(
            names = "--place",
            paramLabel = "PLACE",
            description = "Where the files are read: 'storage' with the executors of Spark's master, 'reader' in the"
                    + " process of the query, 'auto' where the answer is there soonest. Default: auto.")
    private @Nullable String place;

    @Option(names = "--csv", description = "Print CSV on standard output.")
    private boolean csv;

    @Mixin
    private SparkJob job;

    /**
     * Runs the job.
     *
     * @param own the other options of the command; those with the value null are not given
     */
    int run(CommandSpec spec, QueryKind kind, Map<QueryOption, @Nullable String> own) throws Exception {
        if (csv && connection.json()) {
            throw new ParameterException(spec.commandLine(), "--csv and --json exclude each other; give one of them");
        }
        Map<QueryOption, String> given = new EnumMap<>(QueryOption.class);
        own.forEach((option, value) -> put(given, option, value));
        put(given, QueryOption.WHERE, where);
        put(given, QueryOption.COLUMN, column);
        put(given, QueryOption.TIME, time);
        put(given, QueryOption.FROM, from);
        put(given, QueryOption.TO, to);
        put(given, QueryOption.INTERVAL, interval);
        put(given, QueryOption.CACHE, cache);
        put(given, QueryOption.PLACE, place);
        put(given, QueryOption.LIMIT, limit);
        put(given, QueryOption.FORMAT, csv ? "csv" : connection.json() ? "json" : null);
        QueryOptions options;
        try {
            options = new QueryOptions(kind, given);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        List<String> dataset;
        try (MpsrClient client = connection.client()) {
            dataset = connection.qualified(List.of(client.getDataset(connection.path(path))));
        }
        return job.run(JobKind.QUERY, options.toArguments(), dataset, false);
    }

    private static void put(Map<QueryOption, String> given, QueryOption option, @Nullable String value) {
        if (value != null) {
            given.put(option, value);
        }
    }
}
