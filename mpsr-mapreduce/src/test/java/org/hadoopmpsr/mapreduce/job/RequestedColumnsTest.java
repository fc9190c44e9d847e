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
package org.hadoopmpsr.mapreduce.job;

import static org.apache.parquet.filter2.predicate.FilterApi.eq;
import static org.apache.parquet.filter2.predicate.FilterApi.intColumn;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.mapreduce.TestDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestedColumnsTest {
    @TempDir
    Path dir;

    private RequestedColumns of(String schema) throws IOException {
        org.apache.hadoop.fs.Path file =
                new org.apache.hadoop.fs.Path(dir.resolve("f.parquet").toUri());
        Files.deleteIfExists(dir.resolve("f.parquet"));
        TestDataset.write(file, new Configuration(), Schema.parse(schema).columns(), List.of(), Map.of());
        return RequestedColumns.ofAny(List.of(file), new Configuration(), new GroupReadSupport());
    }

    /** Parquet's text of a schema ends a name at a blank: a job would fail that got such a text. */
    @Test
    void whatATextCannotSayIsNotRequestedByText() throws Exception {
        assertThat(of("a int, `größe` int, `x.y` int").asProjection(new Configuration(), new GroupReadSupport()))
                .hasSize(1);
        for (String name : List.of("wind speed", "a;b", "a(b)")) {
            assertThat(of("a int, `" + name + "` int").asProjection(new Configuration(), new GroupReadSupport()))
                    .as(name)
                    .isEmpty();
        }
    }

    /** Parquet takes a name with a dot for a path. */
    @Test
    void aColumnIsNotTakenForAFieldOfAnotherOne() throws Exception {
        RequestedColumns both = of("`a.b` int, a struct<b:int>");
        RequestedColumns column = of("`a.b` int");
        Set<ColumnPath> path = Set.of(ColumnPath.get("a", "b"));
        assertThat(both.problem(eq(intColumn("a.b"), 1), path)).isEmpty();
        assertThat(column.problem(eq(intColumn("a.b"), 1), path))
                .contains("the filter's column a.b is not among those that the job reads of files");
        assertThat(column.problem(eq(intColumn("c"), 1), Set.of(ColumnPath.get("a.b"))))
                .isEmpty();
    }
}
