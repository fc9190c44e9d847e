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
package org.hadoopmpsr.ingest.decode.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import java.io.IOException;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.MessageValue;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads protobuf messages field by field, without making messages or strings. A field that is absent is null where the
 * message can tell absence (proto2, {@code optional}, oneof, messages), else its default; unknown fields are skipped.
 */
public final class ProtobufDecoder implements RecordDecoder {
    private final String messageName;
    private final ColumnSources columns;
    private final ProtobufReader reader;

    /**
     * Makes a decoder.
     *
     * @throws IllegalArgumentException when the message's fields do not fit the columns, with all problems
     */
    public ProtobufDecoder(Descriptor message, Schema schema, ColumnMapping mapping) {
        messageName = message.getFullName();
        columns = new ColumnSources(schema, mapping);
        reader = ProtobufReader.of(message, columns);
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        byte[] bytes = MessageValue.bytes(value, "a message " + messageName);
        reader.begin();
        try {
            reader.read(bytes, 0, CodedInputStream.newInstance(bytes), record);
        } catch (IOException e) {
            throw new BadRecordException("the value is not a message " + messageName + ": " + e.getMessage(), e);
        }
        columns.putFallbacks(record);
    }
}
