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
import org.hadoopmpsr.columnar.buffer.BufferFullException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.jspecify.annotations.Nullable;

/** Turns the value of a Kafka record into the columns of a record. Not safe for use by several threads. */
public interface RecordDecoder {
    /**
     * Puts the value's fields to the record that was begun.
     *
     * @param value what Connect's converter made of the record's value, null for none
     * @throws BadRecordException when it is not what the configuration says, saying why
     * @throws BufferFullException when there is no memory for it
     */
    void decode(@Nullable Object value, RecordAppender record) throws BadRecordException;
}
