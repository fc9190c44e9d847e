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
package org.hadoopmpsr.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryOptionsTest {
    private static QueryOptions of(String... arguments) {
        return QueryOptions.parse(List.of(arguments), new ArrayList<>());
    }

    private static void refused(String message, String... arguments) {
        assertThatThrownBy(() -> of(arguments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void theJobReadsWhatTheCommandWrites() {
        List<String> rest = new ArrayList<>();
        QueryOptions options = QueryOptions.parse(
                List.of(
                        "similar",
                        "hdfs://n/d",
                        "--column",
                        "v",
                        "--pattern",
                        "0, -1,2e3",
                        "--distance",
                        "1.5",
                        "--normalized",
                        "--by",
                        "a,`b, c`",
                        "--where",
                        "--x > 1",
                        "--from",
                        "-5"),
                rest);
        assertThat(rest).containsExactly("hdfs://n/d");
        assertThat(QueryOptions.parse(options.toArguments(), rest).toArguments())
                .isEqualTo(options.toArguments());
        assertThat(options.kind()).isEqualTo(QueryKind.SIMILAR);
        assertThat(options.by()).containsExactly("a", "b, c");
        assertThat(options.pattern())
                .hasToString("normalized " + options.pattern().toString().substring(11));
        assertThat(options.pattern().length()).isEqualTo(3);
        assertThat(options.get(QueryOption.WHERE)).isEqualTo("--x > 1");
        assertThat(options.get(QueryOption.FROM)).isEqualTo("-5");
        assertThat(options.limit()).isEqualTo(10);
        assertThat(options.format()).isEqualTo(QueryOptions.Format.TABLE);
    }

    @Test
    void whatIsNotGivenIsUsual() {
        QueryOptions options = of("chart", "--column", "v", "--format", "csv");
        assertThat(options.width()).isEqualTo(1000);
        assertThat(options.limit()).isEqualTo(100_000);
        assertThat(options.place()).isEqualTo(QueryOptions.ReadPlace.AUTO);
        assertThat(of("chart", "--column", "v", "--place", "reader").place()).isEqualTo(QueryOptions.ReadPlace.READER);
        assertThat(options.by()).isEmpty();
        assertThat(options.shares()).isEmpty();
        assertThat(options.get(QueryOption.TO)).isNull();
        assertThat(options.format()).isEqualTo(QueryOptions.Format.CSV);
        assertThat(of("similar", "--column", "v", "--least", "1").most()).isEmpty();
    }

    @Test
    void whatMakesNoSenseIsNamed() {
        refused("'' is no query; ask for statistics, chart, heatmap or similar");
        refused("'--colour' is no option of a query", "chart", "--colour", "red");
        refused("it is not said which column has the values; name it with --column", "chart");
        refused("--width is no option of a query for statistics", "statistics", "--column", "v", "--width", "5");
        refused(
                "the option --width has the value '0', which is no whole number from 1 to 100000",
                "chart",
                "--column",
                "v",
                "--width",
                "0");
        refused("the option --limit lacks its value", "chart", "--column", "v", "--limit");
        refused(
                "a heat map has a row for each value of one column; name it with --by",
                "heatmap",
                "--column",
                "v",
                "--by",
                "a,b");
        refused(
                "a statistic of intervals takes the place of values; give --interval together with --of",
                "chart",
                "--column",
                "v",
                "--of",
                "mean");
        refused(
                "--of has the value 'sum', which is no statistic; name one of records, nulls, nans, min, max, mean, deviation",
                "chart",
                "--column",
                "v",
                "--of",
                "sum",
                "--interval",
                "1h");
        refused(
                "--bounds asks for numbers of records and bounds alone; leave out --interval",
                "statistics",
                "--column",
                "v",
                "--bounds",
                "--interval",
                "1h");
        refused(
                "--quantiles has the value 50.0; give shares from 0 to 1, such as 0.5,0.99",
                "statistics",
                "--column",
                "v",
                "--quantiles",
                "50");
        refused(
                "the option --quantiles has the value 'half', which is no number",
                "statistics",
                "--column",
                "v",
                "--quantiles",
                "half");
        refused(
                "the option --format has the value 'xml'; give table, csv or json",
                "chart",
                "--column",
                "v",
                "--format",
                "xml");
        refused(
                "the option --place has the value 'moon'; give auto, storage or reader",
                "chart",
                "--column",
                "v",
                "--place",
                "moon");
    }

    @Test
    void somethingIsSimilarToOneThing() {
        String either =
                "it is not said what is similar; give either --pattern with --distance, or a range of values with"
                        + " --least or --most or both";
        refused(either, "similar", "--column", "v");
        refused(either, "similar", "--column", "v", "--least", "1", "--pattern", "1,2");
        refused(
                "it is not said how near a pattern is similar; give --distance",
                "similar",
                "--column",
                "v",
                "--pattern",
                "1,2");
        refused(
                "the pattern has 1 values; give from 2 to 10000",
                "similar",
                "--column",
                "v",
                "--pattern",
                "1",
                "--distance",
                "1");
        refused(
                "the distance is -1.0; give one from 0 to 1.0E150",
                "similar",
                "--column",
                "v",
                "--pattern",
                "1,2",
                "--distance",
                "-1");
        refused(
                "the range is from 2.0 to 1.0, so that no value is in it; give a greater --most",
                "similar",
                "--column",
                "v",
                "--least",
                "2",
                "--most",
                "1");
        refused(
                "a range of values has no shape; leave out --normalized",
                "similar",
                "--column",
                "v",
                "--least",
                "2",
                "--normalized");
    }
}
