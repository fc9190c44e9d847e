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

import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.jspecify.annotations.Nullable;

/** The value of a Kafka record, as Connect's converter hands it over. */
public final class MessageValue {

    private MessageValue() {}

    /**
     * The bytes of a message.
     *
     * @param message what the bytes should be, for messages, such as {@code an Avro record}
     */
    public static byte[] bytes(@Nullable Object value, String message) throws BadRecordException {
        Object present = present(value);
        if (present instanceof byte[] bytes) {
            return bytes;
        }
        throw new BadRecordException("the value is a " + present.getClass().getName() + ", not the bytes of " + message
                + "; value.converter must be org.apache.kafka.connect.converters.ByteArrayConverter");
    }

    /** The value, which must be there. */
    static Object present(@Nullable Object value) throws BadRecordException {
        if (value == null) {
            throw new BadRecordException("the record has no value: it is a tombstone, and a dataset keeps no deletes;"
                    + " leave tombstones out with Connect's transformation Filter and its predicate RecordIsTombstone");
        }
        return value;
    }
}
