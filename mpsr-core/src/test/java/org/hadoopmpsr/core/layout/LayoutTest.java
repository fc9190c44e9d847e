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
package org.hadoopmpsr.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.Arrays;
import java.util.List;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {

    @ParameterizedTest
    @CsvSource({
        "/.mpsr/datasets/meas-1/signal/signal_bucket=3/f.parquet, signal",
        "/.mpsr/datasets/meas-1/staging/c1/time/day=2017-05-01/f.parquet, time",
        "/.mpsr/datasets/meas-1/publishing/c1/device/f.parquet, device",
        "/.mpsr/datasets/meas-1/replaced/m1/signal/signal_bucket=3/f.parquet, signal",
        "/.mpsr/datasets/meas-1/replaced/m1, ",
        "/.mpsr/datasets/meas-1/segments/c1, ",
        "/.mpsr/datasets/meas-1/staging/c1, ",
        "/.mpsr/datasets/meas-1/offsets/t=0=1=c, ",
        "/.mpsr/nodes/time/u, ",
        "/.mpsr/datasets/meas-1, ",
        "/.mpsrx/datasets/meas-1/signal/f, ",
        "/cals/meas/day=2017-05-01/f.parquet, "
    })
    void knowsTheGroupOfAPath(String path, String group) {
        assertThat(new StoreLayout("/.mpsr").groupOf(path).orElse(null)).isEqualTo(group);
    }

    @ParameterizedTest
    @CsvSource({
        "/.mpsr/datasets/meas-1/staging/c1/time/day=2017-05-01/f.parquet, c1",
        "/.mpsr/datasets/meas-1/publishing/c1/device/f.parquet, c1",
        "/.mpsr/datasets/meas-1/staging/c1, c1",
        "/.mpsr/datasets/meas-1/staging, ",
        "/.mpsr/datasets/meas-1/signal/signal_bucket=3/f.parquet, ",
        "/.mpsr/nodes/time/u, ",
        "/cals/staging/c1/time/f.parquet, "
    })
    void knowsTheCommitOfAPath(String path, String commit) {
        assertThat(new StoreLayout("/.mpsr").commitOf(path).orElse(null)).isEqualTo(commit);
    }

    @Test
    void writesPartitionsAsHiveDoes() {
        List<Column> fields = List.of(
                new Column("day", ColumnType.DATE, false),
                new Column("system", ColumnType.STRING, true),
                new Column("n", ColumnType.INT, true));
        assertThat(PartitionPath.of(fields, List.of(17287L, "a/b=c d", -1L)))
                .isEqualTo("day=2017-05-01/system=a%2Fb%3Dc d/n=-1");
        assertThat(PartitionPath.of(fields, Arrays.asList(0L, null, null)))
                .isEqualTo("day=1970-01-01/system=__HIVE_DEFAULT_PARTITION__/n=__HIVE_DEFAULT_PARTITION__");
    }

    @Test
    void readsTheTupleFromTheDirectories() {
        List<Column> fields = List.of(
                new Column("day", ColumnType.DATE, true),
                new Column("system", ColumnType.STRING, true),
                new Column("n", ColumnType.LONG, true),
                new Column("ok", ColumnType.BOOLEAN, true));
        for (List<?> tuple : List.of(
                List.of(17287L, "a/b=c% d\u007f", -1L, true),
                List.of(-1L, "🐘[x]", Long.MIN_VALUE, false),
                Arrays.asList(null, "01", null, null))) {
            String file = "/store/day=1/" + PartitionPath.of(fields, tuple) + "/c-1.parquet";
            assertThat(PartitionPath.values(fields, file).orElseThrow()).isEqualTo(tuple);
        }
    }

    @Test
    void whatCannotBeToldIsNoTuple() {
        List<Column> text = List.of(new Column("s", ColumnType.STRING, true));
        assertThat(PartitionPath.values(text, "/x/s=" + PartitionPath.NULL + "/f"))
                .isEmpty();
        assertThat(PartitionPath.values(text, "/x/t=a/f")).isEmpty();
        assertThat(PartitionPath.values(text, "f")).isEmpty();
        assertThat(PartitionPath.values(text, "/x/s=a=b/f")).isEmpty();
        assertThat(PartitionPath.values(text, "/x/s=%zz/f")).isEmpty();
        assertThat(PartitionPath.values(text, "/x/s=%2f/f")).isEmpty();
        List<Column> number = List.of(new Column("n", ColumnType.INT, true));
        assertThat(PartitionPath.values(number, "/x/n=one/f")).isEmpty();
        assertThat(PartitionPath.values(number, "/x/n=01/f")).isEmpty();
        List<Column> day = List.of(new Column("d", ColumnType.DATE, true));
        assertThat(PartitionPath.values(day, "/x/d=2014-13-01/f")).isEmpty();
    }

    /** Null and the empty string have one directory, and readers find null there. */
    @Test
    void readersFindNullWhereADirectoryMayMeanAnEmptyText() {
        List<Column> text = List.of(new Column("s", ColumnType.STRING, true), new Column("n", ColumnType.INT, true));
        String file = "/x/s=" + PartitionPath.NULL + "/n=7/f";
        assertThat(PartitionPath.values(text, file)).isEmpty();
        assertThat(PartitionPath.valuesAsRead(text, file).orElseThrow()).isEqualTo(Arrays.asList(null, 7L));
        assertThat(PartitionPath.valuesAsRead(text, "/x/s=a/n=07/f")).isEmpty();
        assertThat(PartitionPath.valuesAsRead(text, "/x/s=%zz/n=7/f")).isEmpty();
    }

    @Test
    void aDayOutsideTheCalendarHasNoDirectory() {
        List<Column> day = List.of(new Column("day", ColumnType.DATE, false));
        assertThatThrownBy(() -> PartitionPath.of(day, List.of(1L << 62)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the day 4611686018427387904 since 1970-01-01 is not in the calendar");
    }

    @Test
    void aStagedFileTellsItsSegment() {
        StoreLayout layout = new StoreLayout("/.mpsr");
        String staging = "/.mpsr/datasets/d-1/staging/";
        assertThat(layout.segmentOf(staging + "c1/time/day=1/c1-0.parquet")).contains("c1");
        assertThat(layout.segmentOf(staging + "rebuild-7/time/day=1/c-1-rebuild-7-0.parquet"))
                .contains("c-1");
        assertThat(layout.segmentOf("/.mpsr/datasets/d-1/publishing/rebuild-7/time/a/c-1-rebuild-7-0.parquet"))
                .contains("c-1");
        assertThat(layout.segmentOf(staging + "delete-7/time/day=1/delete-7.12-0.parquet"))
                .contains("delete-7.12");
        assertThat(layout.segmentOf(staging + "delete-7/time/day=1/delete-7-0.parquet"))
                .contains("delete-7");
        assertThat(layout.segmentOf(staging + "rebuild-7")).contains("rebuild-7");
        assertThat(layout.segmentOf("/.mpsr/datasets/d-1/time/day=1/c1-0.parquet"))
                .isEmpty();
        assertThat(layout.segmentOf(null)).isEmpty();
    }

    /** What {@link PartitionPath#of} has written is read as texts, whatever the values are. */
    @Test
    void directoriesAreReadAsTexts() {
        List<Column> fields = List.of(
                new Column("a/b=", ColumnType.STRING, true),
                new Column("day", ColumnType.DATE, true),
                new Column("n", ColumnType.LONG, true));
        for (String value : List.of("x=y", "%41", "ä/#?", " ", "__HIVE")) {
            String path = "/d/" + PartitionPath.of(fields, Arrays.asList(value, 16_191L, null)) + "/f=1.parquet";
            assertThat(PartitionPath.texts(3, path).orElseThrow())
                    .containsExactly(entry("a/b=", value), entry("day", "2014-05-01"), entry("n", null));
            assertThat(PartitionPath.texts(0, path).orElseThrow()).isEmpty();
            assertThat(PartitionPath.texts(4, path)).isEmpty();
        }
        assertThat(PartitionPath.texts(1, "/d/=x/f")).isEmpty();
        assertThat(PartitionPath.texts(1, "/d/a=%zz/f")).isEmpty();
        assertThat(PartitionPath.texts(2, "/a=1/a=2/f")).isEmpty();
        assertThat(PartitionPath.texts(5, "/a=1/f")).isEmpty();
    }
}
