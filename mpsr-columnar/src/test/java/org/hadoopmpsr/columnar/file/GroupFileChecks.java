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
package org.hadoopmpsr.columnar.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.PrimitiveType;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.hadoopmpsr.testing.ParquetRows;
import org.jspecify.annotations.Nullable;

/** Whether a file is what its group and its statistics say. */
final class GroupFileChecks {
    private final Schema schema;
    private final ReplicaGroups groups;

    GroupFileChecks(Schema schema, ReplicaGroups groups) {
        this.schema = schema;
        this.groups = groups;
    }

    void partition(ReplicaGroup group, FileStatistics file, List<Map<String, Object>> rows) {
        for (int i = 0; i < group.predicates().size(); i++) {
            Object expected = file.partition().get(i);
            for (Map<String, Object> row : rows) {
                Object value = value(group.predicates().get(i), row);
                if (!Objects.equals(value, expected)) {
                    fail("partition %s of %s holds %s: %s"
                            .formatted(group.predicates().get(i), expected, value, row));
                }
            }
        }
    }

    void order(ReplicaGroup group, List<Map<String, Object>> rows) {
        List<SortKey> sort = group.sortKeys(schema);
        Comparator<Map<String, Object>> order = (a, b) -> {
            for (SortKey key : sort) {
                Object x = value(key, a);
                Object y = value(key, b);
                int c = x == null || y == null ? Boolean.compare(x != null, y != null) : Values.compare(x, y);
                if (c != 0) {
                    return c;
                }
            }
            return 0;
        };
        for (int i = 1; i < rows.size(); i++) {
            if (order.compare(rows.get(i - 1), rows.get(i)) > 0) {
                fail("group %s is not sorted by %s: row %d of %d is %s, and the next one %s"
                        .formatted(group.name(), sort, i - 1, rows.size(), rows.get(i - 1), rows.get(i)));
            }
        }
    }

    private @Nullable Object value(SortKey key, Map<String, Object> row) {
        Object value = row.get(key.column());
        return value == null || key.bits() == null
                ? value
                : key.bits().apply(key.source(schema).type(), value);
    }

    /** The footer says the order, but for columns that have one value in the file, up to one of floating point numbers, or to bits. */
    void statedOrder(ReplicaGroup group, Path path) throws Exception {
        List<String> expected = new ArrayList<>();
        for (SortKey key : group.sortKeys(schema)) {
            Column column = key.source(schema);
            boolean constant =
                    group.predicates().stream().anyMatch(p -> p.text().equals(column.name())); // an identity predicate
            if (!key.isColumn() || column.type() == ColumnType.DOUBLE || column.type() == ColumnType.FLOAT) {
                break;
            }
            if (!constant) {
                expected.add(column.name());
            }
        }
        List<String> stated = expected.isEmpty() ? null : expected;
        assertThat(ParquetRows.sortedBy(path))
                .isNotEmpty()
                .allSatisfy(by -> assertThat(by).isEqualTo(stated));
    }

    void statistics(FileStatistics file, List<Map<String, Object>> rows) {
        for (Column column : groups.logicalColumns(schema)) {
            ColumnStatistics known = file.column(column.name());
            List<Object> values = rows.stream()
                    .map(r -> r.get(column.name()))
                    .filter(v -> v != null)
                    .toList();
            assertThat(known.nullCount()).isEqualTo(rows.size() - values.size());
            boolean nan = values.stream().anyMatch(v -> v instanceof Double d && d.isNaN());
            Object min = nan ? null : values.stream().min(Values::compare).orElse(null);
            Object max = nan ? null : values.stream().max(Values::compare).orElse(null);
            assertThat(known.bytes()).as(column.name()).isNotNegative();
            ColumnStatistics expected = ColumnStatistics.of(bound(min), bound(max), known.nullCount())
                    .withDistinct(known.distinct())
                    .withBytes(known.bytes())
                    .withValues(column.type() == ColumnType.STRING ? filter(values) : null);
            if (known.distinct() >= 0) {
                assertThat(known.distinct()).isEqualTo(Set.copyOf(values).size());
            }
            if (min instanceof Double low) {
                assertThat((Double) known.min()).isEqualTo(low, within(0.0));
                assertThat((Double) known.max()).isEqualTo((Double) max, within(0.0));
            } else {
                assertThat(known).as(column.name()).isEqualTo(expected);
            }
        }
    }

    /** Bounds of more than 64 bits are not told. */
    private static Object bound(Object value) {
        return value instanceof BigInteger digits
                ? (digits.bitLength() < Long.SIZE ? digits.longValue() : null)
                : value;
    }

    private static ValueFilter filter(List<Object> texts) {
        return ValueFilter.of(texts.stream()
                        .distinct()
                        .map(text -> ((String) text).getBytes(StandardCharsets.UTF_8))
                        .toList())
                .orElse(null);
    }

    static void indexes(Path path) throws Exception {
        try (ParquetFileReader reader = ParquetRows.open(path)) {
            assertThat(reader.getFileMetaData().getKeyValueMetaData()).containsEntry("mpsr.commit", "c1");
            for (BlockMetaData block : reader.getRowGroups()) {
                for (ColumnChunkMetaData chunk : block.getColumns()) {
                    assertThat(reader.readOffsetIndex(chunk)).isNotNull();
                    boolean floating = chunk.getPrimitiveType().getPrimitiveTypeName()
                                    == PrimitiveType.PrimitiveTypeName.DOUBLE
                            || chunk.getPrimitiveType().getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.FLOAT;
                    if (!floating) { // NaN takes the index away
                        assertThat(reader.readColumnIndex(chunk))
                                .as(chunk.getPath().toString())
                                .isNotNull();
                    }
                }
            }
        }
    }

    /** What a record's value is in the predicate's directories. */
    Object value(Predicate predicate, Map<String, Object> row) {
        Column source = predicate.source(schema);
        Object value = row.get(source.name());
        return value == null ? null : predicate.transform().apply(source.type(), value);
    }
}
