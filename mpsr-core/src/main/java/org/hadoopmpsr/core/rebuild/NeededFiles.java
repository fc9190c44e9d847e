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
package org.hadoopmpsr.core.rebuild;

import java.util.List;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * Which files of a source group may hold records of some partitions of another group.
 *
 * @param target the other group
 * @param partitions their tuples
 */
public record NeededFiles(Schema schema, ReplicaGroup target, List<List<@Nullable Object>> partitions) {
    /** False only if the statistics show that the file holds no record of the partitions. */
    public boolean mayHold(DataFile file) {
        return partitions.stream().anyMatch(partition -> mayHold(file, partition));
    }

    private boolean mayHold(DataFile file, List<@Nullable Object> partition) {
        for (int i = 0; i < partition.size(); i++) {
            if (!mayGive(target.predicates().get(i), file, partition.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean mayGive(Predicate predicate, DataFile file, @Nullable Object result) {
        Column source = predicate.source(schema);
        ColumnStatistics values = file.statistics().column(source.name());
        if (result == null) {
            return values.nullCount() != 0;
        }
        Object min = values.min();
        Object max = values.max();
        if (min == null || max == null) {
            return true;
        }
        Object least = predicate.transform().apply(source.type(), min);
        Object most = predicate.transform().apply(source.type(), max);
        if (predicate.transform() instanceof PartitionTransform.Bucket) {
            return !min.equals(max) || least.equals(result);
        }
        return !isBefore(result, least, predicate) && !isBefore(most, result, predicate);
    }

    /** Whether one result of the predicate comes before another. */
    private static boolean isBefore(Object a, Object b, Predicate predicate) {
        if (predicate.transform() instanceof PartitionTransform.Time
                && a instanceof String x
                && b instanceof String y) {
            // months and hours are in the order of their texts, as long as years have four digits
            boolean comparable = x.length() == y.length() && x.charAt(0) != '-' && y.charAt(0) != '-';
            return comparable && x.compareTo(y) < 0;
        }
        return Values.compare(a, b) < 0;
    }
}
