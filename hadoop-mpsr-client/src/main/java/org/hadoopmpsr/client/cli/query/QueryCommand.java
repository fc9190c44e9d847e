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

import picocli.CommandLine.Command;

/** {@code mpsr query …}. */
@Command(
        name = "query",
        description =
                "Ask for few numbers in place of many records: statistics, the points of charts, similar windows. Runs a"
                        + " Spark job near the data, with the Spark of SPARK_HOME or PATH.",
        subcommands = {StatisticsCommand.class, ChartCommand.class, HeatMapCommand.class, SimilarCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class QueryCommand {}
