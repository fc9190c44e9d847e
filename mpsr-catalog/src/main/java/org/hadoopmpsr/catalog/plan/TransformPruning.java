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
package org.hadoopmpsr.catalog.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.expressions.BoundPredicate;
import org.apache.iceberg.expressions.BoundReference;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Projections;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.GroupSpec;

/**
 * Leaves out files by what a filter says of transforms, such as {@code bucket(64, signal) = 3}. The planner has no such filters, and
 * Iceberg's own classes ask the partition of each file.
 */
final class TransformPruning {
    private final Expression transforms;
    private final boolean caseSensitive;
    private final Map<Integer, Evaluator> bySpec = new HashMap<>();

    /** @param bound a filter without negations, bound to the table */
    TransformPruning(Expression bound, boolean caseSensitive) {
        this.transforms = ExpressionVisitors.visit(bound, new Transforms());
        this.caseSensitive = caseSensitive;
    }

    /** The groups among which the filter may leave out files that no comparison of a column itself excludes. */
    List<String> groups(DatasetTable table) {
        return transforms.equals(Expressions.alwaysTrue())
                ? List.of()
                : table.dataset().groups().names().stream()
                        .filter(name -> !projected(
                                        table.spec(name).orElseThrow().spec())
                                .equals(Expressions.alwaysTrue()))
                        .toList();
    }

    /** Those of some files that may have records which pass the filter. */
    List<PlannedFile> of(List<PlannedFile> files) {
        return transforms.equals(Expressions.alwaysTrue())
                ? files
                : files.stream().filter(this::mayPass).toList();
    }

    private boolean mayPass(PlannedFile file) {
        GroupSpec spec = file.spec();
        return spec.partition(file.path())
                .map(partition -> bySpec.computeIfAbsent(
                                spec.spec().specId(),
                                id -> new Evaluator(spec.spec().partitionType(), projected(spec.spec())))
                        .eval(partition))
                .orElse(true);
    }

    private Expression projected(PartitionSpec spec) {
        return Projections.inclusive(spec, caseSensitive).project(transforms);
    }

    /** What remains of a filter if all comparisons of columns themselves hold. */
    private static final class Transforms extends SameExpression {
        @Override
        public Expression not(Expression result) {
            return Expressions.alwaysTrue();
        }

        @Override
        public <T> Expression predicate(BoundPredicate<T> predicate) {
            return predicate.term() instanceof BoundReference ? Expressions.alwaysTrue() : predicate;
        }
    }
}
