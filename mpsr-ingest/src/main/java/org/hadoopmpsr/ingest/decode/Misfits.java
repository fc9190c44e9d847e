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
package org.hadoopmpsr.ingest.decode;

import java.util.List;
import java.util.stream.Collectors;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.ShownValue;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;

/** Says of messages that do not fit the columns why, and what to do. */
record Misfits(Schema schema, List<FieldSource> sources) {

    /** A field cannot fill a column. */
    String ofType(int column, String fieldType, boolean bare) {
        Column filled = schema.columns().get(column);
        return "column '" + filled.name() + "' of type " + filled.type().ddl() + ": field '" + path(column)
                + "' of type " + fieldType + " cannot fill it" + (bare ? ": " + unitNeeded(column) : "");
    }

    /** A number comes for a time, and nothing says what it counts. */
    BadRecordException bare(int column, Object value) {
        Column filled = schema.columns().get(column);
        return new BadRecordException(
                "column '" + filled.name() + "' is of type " + filled.type().ddl() + ", but its value "
                        + ShownValue.of(String.valueOf(value)) + ": " + unitNeeded(column));
    }

    private String unitNeeded(int column) {
        Column filled = schema.columns().get(column);
        return "a bare number does not say what it counts since 1970; write it in mpsr.columns, such as "
                + ColumnName.text(filled.name()) + "=" + path(column)
                + (filled.type() == ColumnType.DATE ? " as days" : " as millis");
    }

    /** A message and the columns have no field in common. */
    String noField(String found) {
        return "none of the fields of the record fills a column: it " + found + ", and the columns are filled by "
                + sources.stream()
                        .map(source -> source.path().text())
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(", "))
                + "; check the topic, or map fields to columns with mpsr.columns";
    }

    private String path(int column) {
        return sources.get(column).path().text();
    }
}
