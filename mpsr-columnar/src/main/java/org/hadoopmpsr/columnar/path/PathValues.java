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
package org.hadoopmpsr.columnar.path;

import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.core.nested.LeafReader;
import org.hadoopmpsr.core.nested.NestedReader;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/** Makes a column of the values at a path of fields within a column of structs. For one thread. */
public final class PathValues {
    private final Column leaf;
    private final LeafReader reader;

    /**
     * Prepares to make it.
     *
     * @param path leads to a value that has none within
     * @throws IllegalArgumentException if the schema lacks the path
     */
    public PathValues(Schema schema, String path) {
        reader = new LeafReader(ColumnPath.places(schema, path));
        leaf = schema.find(path).orElseThrow();
    }

    /** The values of the first rows of a column of structs, as a vector of their own. */
    public ColumnVector of(ColumnVector structs, int rows) {
        ColumnVector vector = ColumnVector.of(leaf.type());
        vector.reserve(rows);
        fill((NestedVector) structs, 0, vector, 0, rows);
        return vector;
    }

    /**
     * Puts the values of rows to consecutive rows of a vector.
     *
     * @param into of the type that the path leads to; its rows must be reserved
     */
    public void fill(NestedVector structs, int from, ColumnVector into, int at, int rows) {
        for (int i = 0; i < rows; i++) {
            NestedReader value = structs.isNull(from + i) ? null : find(structs, structs.ids()[from + i]);
            if (value == null) {
                into.setNull(at + i, 1);
            } else {
                put(value, into, at + i);
            }
        }
    }

    private @Nullable NestedReader find(NestedVector structs, int id) {
        return reader.find(structs.dictionary().bytes(), structs.dictionary().start(id));
    }

    private static void put(NestedReader value, ColumnVector into, int row) {
        if (into instanceof WideDecimalVector decimals) {
            decimals.set(row, value.readDecimal());
        } else if (into instanceof StringVector strings) {
            value.readBytes();
            strings.set(row, strings.dictionary().intern(value.bytes(), value.start(), value.length()));
        } else if (into instanceof LongVector longs) {
            longs.set(row, value.readLong());
        } else if (into instanceof DoubleVector doubles) {
            doubles.set(row, value.readDouble());
        } else {
            ((BooleanVector) into).set(row, value.readBoolean());
        }
    }
}
