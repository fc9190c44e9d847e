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
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.FieldTree;

/** Some elements of a repeated field, packed or not. */
final class ProtobufElements extends ProtobufField {
    private final Map<Integer, ProtobufField> wanted;
    private final int wireTypeOfOne;
    private final boolean closedEnum;
    private int position;

    private ProtobufElements(FieldDescriptor descriptor, Map<Integer, ProtobufField> wanted) {
        super(descriptor);
        this.wanted = wanted;
        wireTypeOfOne = descriptor.getLiteType().getWireType();
        closedEnum = descriptor.getType() == FieldDescriptor.Type.ENUM && descriptor.legacyEnumFieldTreatedAsClosed();
    }

    static ProtobufElements of(FieldDescriptor field, FieldTree tree, ColumnSources columns, List<String> problems) {
        Map<Integer, ProtobufField> wanted = new HashMap<>();
        tree.below().forEach((step, node) -> {
            if (step instanceof Integer position) {
                ProtobufField element = single(field, node, columns, problems);
                if (element != null) {
                    wanted.put(position, element);
                }
            } else {
                problems.add("field '" + field.getName() + "' is repeated, so " + columns.named(node)
                        + " needs an element of it, such as " + field.getName() + "[0]");
            }
        });
        return new ProtobufElements(field, wanted);
    }

    @Override
    void begin() {
        position = 0;
        wanted.values().forEach(ProtobufField::begin);
    }

    @Override
    void clear(RecordAppender record) {
        position = 0;
        wanted.values().forEach(element -> element.clear(record));
    }

    @Override
    void read(int wireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        if (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED && wireTypeOfOne != wireType) {
            int outer = in.pushLimit(in.readRawVarint32());
            while (!in.isAtEnd()) {
                readOne(wireTypeOfOne, bytes, base, in, record);
            }
            ProtobufReader.leave(in, outer);
        } else {
            readOne(wireType, bytes, base, in, record);
        }
    }

    private boolean isUnknown(byte[] bytes, int at) throws IOException {
        int number = CodedInputStream.newInstance(bytes, at, bytes.length - at).readEnum();
        return descriptor().getEnumType().findValueByNumber(number) == null;
    }

    private void readOne(int wireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        if (closedEnum && wireType == wireTypeOfOne && isUnknown(bytes, base + in.getTotalBytesRead())) {
            in.readEnum(); // an unknown field, and no element
            return;
        }
        ProtobufField element = wanted.get(position++);
        if (element == null) {
            ProtobufReader.skip(descriptor().getNumber() << 3 | wireType, in);
        } else {
            element.read(wireType, bytes, base, in, record);
        }
    }
}
