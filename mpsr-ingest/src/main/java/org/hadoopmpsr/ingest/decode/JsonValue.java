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

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.CharBuffer;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.ShownValue;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/** Puts the value at which a parser stands to its column. */
final class JsonValue {
    private final ColumnSources columns;
    private final StrictUtf8 utf8;
    private final @Nullable JsonNested[] nested;

    JsonValue(ColumnSources columns, StrictUtf8 utf8) {
        this.columns = columns;
        this.utf8 = utf8;
        nested = new @Nullable JsonNested[columns.schema().columns().size()];
        for (int column = 0; column < nested.length; column++) {
            NestedNode node = NestedNode.ofColumn(columns.column(column));
            nested[column] = node == null ? null : new JsonNested(columns, column, node, utf8);
        }
    }

    void put(int column, JsonParser parser, RecordAppender record) throws IOException, BadRecordException {
        JsonNested form = nested[column];
        if (form != null) {
            form.put(parser, record);
            return;
        }
        JsonToken token = parser.currentToken();
        switch (token) {
            case VALUE_NULL -> record.putNull(column);
            case VALUE_STRING ->
                columns.putText(
                        record,
                        column,
                        CharBuffer.wrap(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength()),
                        utf8);
            case VALUE_NUMBER_INT -> putWhole(column, parser, record);
            case VALUE_NUMBER_FLOAT -> putNumber(column, parser, record);
            case VALUE_TRUE, VALUE_FALSE -> record.putBoolean(column, token == JsonToken.VALUE_TRUE);
            default -> {
                Column filled = columns.column(column);
                throw new BadRecordException("column '" + filled.name() + "' of type "
                        + filled.type().ddl() + " cannot hold the "
                        + (token == JsonToken.START_ARRAY ? "array" : "object") + " in field '" + columns.path(column)
                        + "'");
            }
        }
    }

    private void putWhole(int column, JsonParser parser, RecordAppender record) throws IOException, BadRecordException {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            columns.putWhole(record, column, parser.getBigIntegerValue());
        } else {
            columns.putLong(record, column, parser.getLongValue());
        }
    }

    /** A number with a point or an exponent, or one of the words for what is not finite. */
    private void putNumber(int column, JsonParser parser, RecordAppender record)
            throws IOException, BadRecordException {
        double value = parser.getDoubleValue();
        boolean isWord =
                !Character.isDigit(parser.getTextCharacters()[parser.getTextOffset() + parser.getTextLength() - 1]);
        ColumnType type = columns.column(column).type();
        if (isWord || type == ColumnType.STRING || type == ColumnType.BOOLEAN || type == ColumnType.BINARY) {
            record.putDouble(column, value);
        } else if (!type.isFloating()) {
            columns.putDecimal(record, column, parser.getDecimalValue());
        } else if (Double.isInfinite(value)) {
            Column filled = columns.column(column);
            throw new BadRecordException("column '" + filled.name() + "' is of type " + type.ddl() + ", but its value "
                    + ShownValue.of(parser.getText()) + " is out of range");
        } else {
            record.putDouble(column, value);
        }
    }
}
