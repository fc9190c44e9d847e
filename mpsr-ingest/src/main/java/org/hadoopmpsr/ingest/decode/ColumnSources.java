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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.jspecify.annotations.Nullable;

/** The columns of a dataset and what fills them, in the form in which decoders use it. Immutable. */
public final class ColumnSources {
    private final Schema schema;
    private final List<FieldSource> sources;
    private final FieldTree tree;
    private final @Nullable TimeUnit[] units;
    private final Fallback[] fallbacks;

    private record Fallback(int column, byte[] utf8) {}

    /** @throws IllegalArgumentException when the mapping does not fit the schema */
    public ColumnSources(Schema schema, ColumnMapping mapping) {
        this.schema = schema;
        sources = mapping.sources(schema);
        tree = FieldTree.of(sources.stream().map(FieldSource::path).toList());
        units = sources.stream().map(FieldSource::unit).toArray(TimeUnit[]::new);
        List<Fallback> given = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            String text = sources.get(i).fallback();
            if (text != null) {
                given.add(new Fallback(i, text.getBytes(StandardCharsets.UTF_8)));
            }
        }
        fallbacks = given.toArray(Fallback[]::new);
        checkFallbacks();
    }

    /** The fields that are wanted. */
    public FieldTree tree() {
        return tree;
    }

    public Column column(int column) {
        return schema.columns().get(column);
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

    /** Puts a whole number, which for a time counts in the unit of the mapping, else in that of the column. */
    public void putLong(RecordAppender record, int column, long value) throws BadRecordException {
        TimeUnit unit = units[column];
        if (unit == null) {
            record.putLong(column, value);
        } else {
            record.putTime(column, value, unit);
        }
    }

    /** Gives the columns that have no value what the mapping says. */
    public void putFallbacks(RecordAppender record) throws BadRecordException {
        for (Fallback fallback : fallbacks) {
            if (record.isNull(fallback.column)) {
                record.putUtf8(fallback.column, fallback.utf8, 0, fallback.utf8.length);
            }
        }
    }

    private void checkFallbacks() {
        RecordAppender scratch = new RecordAppender(new RecordBuffer(schema));
        scratch.begin();
        try {
            putFallbacks(scratch);
        } catch (BadRecordException e) {
            throw new IllegalArgumentException("a default does not fit: " + e.getMessage(), e);
        }
    }
}
