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

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.NumberText;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a dataset and what fills them, in the form in which decoders use it. Every value of a message goes
 * through here to its column. All formats therefore follow one set of rules. Immutable.
 */
public final class ColumnSources {
    private final Schema schema;
    private final List<FieldSource> sources;
    private final Misfits misfits;
    private final FieldTree tree;
    private final @Nullable TimeUnit[] units;
    private final boolean[] times;
    /** Times of which nothing says what a number counts; the types timestamp_ns and time_ns do. */
    private final boolean[] bare;

    private final Fallbacks fallbacks;

    /**
     * @param schema the columns as they are stored
     * @throws IllegalArgumentException when the mapping does not fit the schema
     */
    public ColumnSources(Schema schema, ColumnMapping mapping) {
        this.schema = schema;
        sources = mapping.sources(schema);
        misfits = new Misfits(schema, sources);
        tree = FieldTree.of(sources.stream().map(FieldSource::path).toList());
        units = new @Nullable TimeUnit[sources.size()];
        times = new boolean[sources.size()];
        bare = new boolean[sources.size()];
        for (int i = 0; i < sources.size(); i++) {
            FieldSource source = sources.get(i);
            Column column = column(i);
            units[i] = source.unit();
            times[i] = column.type().hasUnit();
            bare[i] = column.type().isTime() && units[i] == null && column.type() != ColumnType.TIMESTAMP_NS;
            String shown = mapping.shownName(column);
            if (source.path().isOnly(shown)) {
                String field = String.valueOf(source.path().steps().get(0));
                tree.matchInAnyCase(field);
                mapping.formerName(column).ifPresent(former -> tree.matchUnder(former, field));
            }
        }
        fallbacks = new Fallbacks(sources);
        fallbacks.check(this, schema);
    }

    /** The fields that are wanted. */
    public FieldTree tree() {
        return tree;
    }

    /** A column by its position. */
    public Column column(int column) {
        return schema.columns().get(column);
    }

    /** The schema of the dataset. */
    Schema schema() {
        return schema;
    }

    /** Where a column's values come from, as it was written. */
    public String path(int column) {
        return sources.get(column).path().text();
    }

    /** The columns at or below a place in the tree, for messages. */
    public String named(FieldTree place) {
        if (place.isColumn()) {
            return "column '" + column(place.column()).name() + "'";
        }
        return place.below().values().stream().map(this::named).sorted().collect(Collectors.joining(", "));
    }

    /** True when the mapping says what a number counts. */
    public boolean hasUnit(int column) {
        return units[column] != null;
    }

    /** False when no value of such a field fits the column; single values may still be out of range. */
    public boolean fits(FieldKind kind, int column) {
        return kind.fits(column(column).type(), hasUnit(column));
    }

    /** Says that a field cannot fill a column, and why where that is not plain. */
    public String misfit(int column, String fieldType, FieldKind kind) {
        return misfits.ofType(column, fieldType, kind == FieldKind.WHOLE && bare[column]);
    }

    /** Puts a whole number; for a time, one that counts in the unit of the mapping. */
    public void putLong(RecordAppender record, int column, long value) throws BadRecordException {
        TimeUnit unit = units[column];
        if (unit != null) {
            record.putTime(column, value, unit);
        } else if (bare[column]) {
            throw misfits.bare(column, value);
        } else {
            record.putLong(column, value);
        }
    }

    /** Puts a whole number of any size, as {@link #putLong} does. */
    public void putWhole(RecordAppender record, int column, BigInteger value) throws BadRecordException {
        if (value.bitLength() < Long.SIZE) {
            putLong(record, column, value.longValue());
        } else {
            record.putWhole(column, value);
        }
    }

    /** Puts a floating point number; for a time, its shortest decimal form, as {@link #putDecimal} does. */
    public void putDouble(RecordAppender record, int column, double value) throws BadRecordException {
        if (times[column] && Double.isFinite(value)) {
            putDecimal(record, column, BigDecimal.valueOf(value));
        } else {
            record.putDouble(column, value);
        }
    }

    /** Puts a decimal number; for a time, one that counts in the unit of the mapping and that the column can hold. */
    public void putDecimal(RecordAppender record, int column, BigDecimal value) throws BadRecordException {
        if (!times[column]) {
            record.putDecimal(column, value);
        } else if (bare[column]) {
            throw misfits.bare(column, value);
        } else {
            TimeUnit unit = units[column];
            record.putTime(column, value, unit == null ? TimeUnit.NANOSECONDS : unit);
        }
    }

    /** Puts a string by its UTF-8 bytes; in other columns it says a number, a truth value or a time. */
    public void putUtf8(RecordAppender record, int column, byte[] utf8, int offset, int length)
            throws BadRecordException {
        if (times[column] && length <= NumberText.MAX_CHARS) {
            String text = new String(utf8, offset, length, StandardCharsets.US_ASCII);
            if (NumberText.isNumber(text)) {
                putDecimal(record, column, new BigDecimal(text));
                return;
            }
        }
        record.putUtf8(column, utf8, offset, length);
    }

    /** Puts a string, as {@link #putUtf8} does. */
    void putText(RecordAppender record, int column, CharBuffer text, StrictUtf8 encoder) throws BadRecordException {
        ByteBuffer utf8 = encoder.encode(text);
        if (utf8 == null) {
            throw new BadRecordException(
                    "column '" + column(column).name() + "' has half of a surrogate pair in its value");
        }
        putUtf8(record, column, utf8.array(), 0, utf8.position());
    }

    /** Gives the columns that have no value what the mapping says. */
    public void putFallbacks(RecordAppender record) throws BadRecordException {
        fallbacks.put(this, record);
    }

    /** Takes the values of all columns at or below a place back, for when a later value of the field counts. */
    public static void clear(FieldTree place, RecordAppender record) {
        if (place.isColumn()) {
            record.putNull(place.column());
        } else {
            place.below().values().forEach(below -> clear(below, record));
        }
    }

    /** A record none of whose fields fills a column; {@code field} is one of them, null where none is known. */
    public BadRecordException stranger(@Nullable String field) {
        return new BadRecordException(
                noField(field == null ? "has no such field" : "has fields such as '" + field + "'"));
    }

    /** Says that messages and columns have nothing in common; {@code found} says what messages have. */
    public String noField(String found) {
        return misfits.noField(found);
    }
}
