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
package org.hadoopmpsr.ingest.decode.avro;

import org.apache.avro.Schema;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.ingest.decode.ColumnSources;

/** Reads the records of one writer's schema straight into columns, without making objects of them. */
final class AvroReader {
    private final String name;
    private final AvroStep root;

    private AvroReader(String name, AvroStep root) {
        this.name = name;
        this.root = root;
    }

    /** @throws IllegalArgumentException when no field fills a column, or a field can never fill its column */
    static AvroReader of(Schema writer, ColumnSources columns) {
        return new AvroReader(writer.getFullName(), new AvroSteps(columns).root(writer));
    }

    /** Reads a record, which must end where the bytes do; {@code in} is used for it. */
    void read(byte[] bytes, int offset, int length, AvroInput in, RecordAppender record) throws BadRecordException {
        in.open(bytes, offset, length, "an Avro record " + name);
        root.read(in, record);
        if (in.remaining() > 0) {
            throw new BadRecordException(
                    "the value goes on after its Avro record; it may be written with another schema than " + name);
        }
    }
}
