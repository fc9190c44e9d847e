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

/** The values of some keys of a map field. */
final class ProtobufEntries extends ProtobufField {
    private final Map<String, ProtobufReader> byKey;

    private ProtobufEntries(FieldDescriptor descriptor, Map<String, ProtobufReader> byKey) {
        super(descriptor);
        this.byKey = byKey;
    }

    static ProtobufEntries of(FieldDescriptor field, FieldTree tree, ColumnSources columns, List<String> problems) {
        Descriptor entry = field.getMessageType();
        Map<String, ProtobufReader> byKey = new HashMap<>();
        if (entry.findFieldByName("key").getType() != FieldDescriptor.Type.STRING) {
            problems.add("the keys of map '" + field.getName() + "' are not strings");
            return new ProtobufEntries(field, byKey);
        }
        tree.below()
                .forEach((key, node) -> byKey.put(
                        String.valueOf(key),
                        ProtobufReader.of(entry, FieldTree.single("value", node), columns, problems)));
        return new ProtobufEntries(field, byKey);
    }

    @Override
    void read(int wireType, byte[] bytes, int base, CodedInputStream in, RecordAppender record)
            throws IOException, BadRecordException {
        requireWireType(WireFormat.WIRETYPE_LENGTH_DELIMITED, wireType);
        int length = in.readRawVarint32();
        int start = base + in.getTotalBytesRead();
        in.skipRawBytes(length);
        ProtobufReader reader = byKey.get(key(CodedInputStream.newInstance(bytes, start, length)));
        if (reader != null) {
            reader.clear(record); // of a key that comes twice the last value counts
            reader.read(bytes, start, CodedInputStream.newInstance(bytes, start, length), record);
        }
    }

    @Override
    void clear(RecordAppender record) {
        byKey.values().forEach(reader -> reader.clear(record));
    }

    private static String key(CodedInputStream entry) throws IOException, BadRecordException {
        String key = "";
        for (int tag = entry.readTag(); tag != 0; tag = entry.readTag()) {
            if (tag == (1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED)) {
                key = entry.readStringRequireUtf8();
            } else {
                ProtobufReader.skip(tag, entry);
            }
        }
        return key;
    }
}
