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
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.schema.Schema;

/** The values that the mapping gives columns where a record has none. Immutable. */
final class Fallbacks {
    private final Fallback[] fallbacks;

    private record Fallback(int column, byte[] utf8) {}

    /** @param sources where the values of each column come from */
    Fallbacks(List<FieldSource> sources) {
        List<Fallback> given = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            String text = sources.get(i).fallback();
            if (text != null) {
                given.add(new Fallback(i, text.getBytes(StandardCharsets.UTF_8)));
            }
        }
        fallbacks = given.toArray(Fallback[]::new);
    }

    /** Gives the columns that have no value theirs. */
    void put(ColumnSources columns, RecordAppender record) throws BadRecordException {
        for (Fallback fallback : fallbacks) {
            if (record.isNull(fallback.column)) {
                columns.putUtf8(record, fallback.column, fallback.utf8, 0, fallback.utf8.length);
            }
        }
    }

    /** @throws IllegalArgumentException when a value does not fit its column */
    void check(ColumnSources columns, Schema schema) {
        RecordAppender scratch = new RecordAppender(new RecordBuffer(schema));
        scratch.begin();
        try {
            put(columns, scratch);
        } catch (BadRecordException e) {
            throw new IllegalArgumentException("a default does not fit: " + e.getMessage(), e);
        }
    }
}
