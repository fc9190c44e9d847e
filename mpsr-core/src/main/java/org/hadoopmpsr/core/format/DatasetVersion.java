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
package org.hadoopmpsr.core.format;

import org.hadoopmpsr.core.group.LeadingBits;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.StructType;

/** Which format version the definition of a dataset gets: the least one whose readers know all that it has. */
public final class DatasetVersion {
    private static final int FIRST = 1;
    private static final int WITH_SEGMENTS = 2;
    private static final int WITH_MORE_TYPES = 3;
    private static final int WITH_NESTED_TYPES = 4;
    private static final int WITH_ALTERED_GROUPS = 5;
    private static final int WITH_ANY_NAMES = 6;
    private static final int WITH_SHOWN_COLUMNS = 7;
    private static final int WITH_PATHS = 8;
    private static final int WITH_CODECS_OR_BITS = 9;
    private static final int WITH_SORT_BY_BITS = 10;
    private static final int WITH_TRANSFORMS = 11;
    private static final int WITH_AUTO_CODECS_OR_LOSSY_GROUPS = 12;

    private DatasetVersion() {}

    /** The version of a new dataset. */
    public static int first(Schema schema, ReplicaGroups groups) {
        return withGroups(first(schema), groups);
    }

    /** The version of a new dataset whose groups name columns only. */
    public static int first(Schema schema) {
        return schema.columns().stream()
                .mapToInt(column -> Math.max(version(column.name()), version(column.type())))
                .max()
                .orElse(FIRST);
    }

    private static int version(String name) {
        return ColumnName.isPlain(name) ? FIRST : WITH_ANY_NAMES;
    }

    private static int version(ColumnType type) {
        return switch (type.kind()) {
            case STRING, INT, LONG, FLOAT, DOUBLE, BOOLEAN, DATE, TIMESTAMP, TIMESTAMP_NS -> FIRST;
            case BINARY, TINYINT, SMALLINT, TIMESTAMP_NTZ, TIME_NS, DECIMAL -> WITH_MORE_TYPES;
            case LIST -> nested(((ListType) type).element());
            case MAP -> nested(((MapType) type).value());
            case STRUCT ->
                ((StructType) type)
                        .fields().stream()
                                .mapToInt(field -> Math.max(version(field.name()), nested(field.type())))
                                .max()
                                .orElse(WITH_NESTED_TYPES);
        };
    }

    private static int nested(ColumnType within) {
        return Math.max(WITH_NESTED_TYPES, version(within));
    }

    /** The version of a dataset of some version from the moment on when it has records of segments. */
    public static int withSegments(int version) {
        return Math.max(version, WITH_SEGMENTS);
    }

    /** The version of a dataset of some version, with records of segments, from the moment on when it has these columns. */
    public static int withColumns(int version, DatasetColumns columns) {
        int withSchema = Math.max(withSegments(version), first(columns.stored()));
        return columns.shown().areAsStored(columns.stored()) ? withSchema : Math.max(withSchema, WITH_SHOWN_COLUMNS);
    }

    /** The version of a dataset of some version from the moment on when its groups are altered to these. */
    public static int withAlteredGroups(int version, ReplicaGroups groups) {
        return withGroups(Math.max(version, WITH_ALTERED_GROUPS), groups);
    }

    private static int withGroups(int version, ReplicaGroups groups) {
        return groups.groups().stream().mapToInt(DatasetVersion::version).reduce(version, Math::max);
    }

    private static int version(ReplicaGroup group) {
        if (group.codec().isAuto() || group.isLossy()) {
            return WITH_AUTO_CODECS_OR_LOSSY_GROUPS;
        }
        if (!group.transforms().isEmpty()) {
            return WITH_TRANSFORMS;
        }
        if (!group.sort().stream().allMatch(SortKey::isColumn)) {
            return WITH_SORT_BY_BITS;
        }
        boolean hasBits = group.predicates().stream().anyMatch(p -> p.transform() instanceof LeadingBits);
        return hasBits || !group.codec().isPlain() ? WITH_CODECS_OR_BITS : group.hasPaths() ? WITH_PATHS : FIRST;
    }
}
