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

import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;

/**
 * Reads the entries of a map, each by the step of its key.
 *
 * @param steps of the keys that are wanted
 * @param skip goes past the value of another key
 * @param itemBytes the fewest bytes that an entry takes
 */
record AvroEntries(Map<String, AvroStep> steps, AvroStep skip, long itemBytes) {
    /** Returns whether a key was wanted. */
    boolean read(AvroInput in, RecordAppender record) throws BadRecordException {
        boolean any = false;
        for (long count = in.readBlock(itemBytes); count > 0; count = in.readBlock(itemBytes)) {
            for (long i = 0; i < count; i++) {
                AvroStep wanted = steps.get(in.readString());
                (wanted == null ? skip : wanted).read(in, record);
                any |= wanted != null;
            }
        }
        return any;
    }
}
