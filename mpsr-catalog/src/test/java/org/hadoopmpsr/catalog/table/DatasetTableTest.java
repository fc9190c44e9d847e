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
package org.hadoopmpsr.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.iceberg.mapping.MappedField;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class DatasetTableTest {
    private static final Schema SCHEMA =
            Schema.parse("system string, ns timestamp_ns not null, t time_ns, pos struct<x:double,y:array<int>>");

    private static DatasetTable table(boolean fillsPartitions) {
        ReplicaGroup time = new ReplicaGroup(
                "time",
                List.of(Predicate.parse("day(ns)"), Predicate.parse("system")),
                List.of(),
                1,
                Codec.parse("zstd"));
        ReplicaGroups groups = new ReplicaGroups(List.of(time), "time");
        return new DatasetTable(new Dataset("/d/m", "m-1", SCHEMA, groups, List.of(), List.of()), fillsPartitions);
    }

    /** Files of other groups have columns that the table has not, and PyIceberg reads no file with a column without an id. */
    @Test
    void theMappingHasAllColumnsOfFiles() {
        for (boolean fillsPartitions : new boolean[] {true, false}) {
            DatasetTable table = table(fillsPartitions);
            assertThat(table.mapping().asMappedFields().fields())
                    .extracting(field -> field.id() + " " + String.join(",", field.names()))
                    .containsExactlyInAnyOrder("1 system", "2 ns", "3 t", "4 pos", "9000 day");
            assertThat(table.schema().findField("day") != null).isEqualTo(fillsPartitions);
            assertThat(table.schema().findField("system") != null).isEqualTo(fillsPartitions);
            MappedField pos = table.mapping().find(4);
            assertThat(pos.nestedMapping().fields()).extracting(MappedField::id).containsExactly(40_000, 40_001);
        }
    }
}
