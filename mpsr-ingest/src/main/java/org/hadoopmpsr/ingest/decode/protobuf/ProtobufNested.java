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
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.NestedNode;

/**
 * A field that fills a nested column: a message a struct, a repeated field a list, and a map a map. Its occurrences are kept
 * until the message ends, and then read together, because later ones are merged with those before.
 */
final class ProtobufNested extends ProtobufField {
    private final int column;
    private final ColumnSources columns;
    private final ProtobufParts parts;
    private final NestedNode node;
    private final ByteArrayOutputStream occurrences = new ByteArrayOutputStream();
    private final NestedWriter form = new NestedWriter();

    ProtobufNested(FieldDescriptor field, int column, ColumnSources columns, NestedNode node) {
        super(field);
        this.column = column;
        this.columns = columns;
        this.node = node;
        parts = new ProtobufParts();
    }

    @Override
    void begin() {
        occurrences.reset();
    }

    @Override
    void read(int wireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        int tag = descriptor().getNumber() << 3 | wireType;
        int start = base + in.getTotalBytesRead();
        ProtobufReader.skip(tag, in);
        CodedOutputStream out = CodedOutputStream.newInstance(occurrences);
        out.writeUInt32NoTag(tag);
        out.flush();
        occurrences.write(bytes, start, base + in.getTotalBytesRead() - start);
    }

    @Override
    void end(RecordAppender record) throws BadRecordException {
        FieldDescriptor field = descriptor();
        if (occurrences.size() == 0 && !field.isRepeated()) {
            return;
        }
        form.clear();
        try {
            DynamicMessage message = DynamicMessage.newBuilder(field.getContainingType())
                    .mergeFrom(occurrences.toByteArray())
                    .buildPartial();
            ProtobufStrictness.check(field, node, occurrences.toByteArray());
            parts.putField(node, message, field, form);
        } catch (IOException e) {
            throw new BadRecordException("field '" + field.getName() + "' cannot be read: " + e.getMessage(), e);
        } catch (BadRecordException e) {
            throw NestedNode.within(columns.column(column), e);
        }
        record.putNested(column, form);
    }

    @Override
    void clear(RecordAppender record) {
        begin();
        record.putNull(column);
    }
}
