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
package org.hadoopmpsr.core.group;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.transform.Accuracy;
import org.hadoopmpsr.core.transform.TransformName;
import org.hadoopmpsr.core.transform.TransformRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Whether a reader may read a group that has rounded values: if it does not look at the column, or has said how far off values of the column may be and they are
 * not farther. Everybody else needs another group.
 */
public final class LossyReads {
    private LossyReads() {}

    /**
     * Why the reader may not read the group; empty if it may.
     *
     * @param columns the columns that the reader looks at, in lower case; null for all
     * @param accuracies how far off values may be, by the names of columns in lower case
     */
    public static Optional<String> problem(
            Schema schema, ReplicaGroup group, @Nullable Set<String> columns, Map<String, Accuracy> accuracies) {
        return group.transforms().lossy().ofColumns().entrySet().stream()
                .flatMap(entry -> problem(schema, entry, columns, accuracies).stream())
                .findFirst();
    }

    private static Optional<String> problem(
            Schema schema,
            Map.Entry<String, TransformName> held,
            @Nullable Set<String> columns,
            Map<String, Accuracy> accuracies) {
        String column = held.getKey().toLowerCase(Locale.ROOT);
        if (columns != null && !columns.contains(column)) {
            return Optional.empty();
        }
        String subject = "has rounded values in column '" + held.getKey() + "' ("
                + held.getValue().text() + "), ";
        Accuracy accuracy = accuracies.getOrDefault(column, Accuracy.EXACT);
        if (accuracy.isExact()) {
            return Optional.of(subject + "and this read needs exact ones");
        }
        try {
            boolean isMet = schema.find(column)
                    .map(found -> TransformRegistry.of(held.getValue(), found.type()))
                    // without the greatest magnitude: a limit of another kind than that of the group is not met
                    .filter(found -> accuracy.isMetBy(found.exact(), Double.POSITIVE_INFINITY))
                    .isPresent();
            return isMet
                    ? Optional.empty()
                    : Optional.of(subject + "which may be farther off than this read allows (" + accuracy.text() + ")");
        } catch (IllegalArgumentException e) {
            return Optional.of(subject + "which this MPSR does not know: " + e.getMessage());
        }
    }
}
