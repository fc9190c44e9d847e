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

import java.util.List;
import java.util.stream.Stream;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;

/** Reads one value, and puts what is wanted of it to the columns. */
@FunctionalInterface
interface AvroStep {
    /** For values that take no bytes. */
    AvroStep NOTHING = (in, record) -> {};

    void read(AvroInput in, RecordAppender record) throws BadRecordException;

    /** Reads the branch of a union that the bytes name. */
    static AvroStep union(List<AvroStep> branches) {
        AvroStep[] steps = branches.toArray(AvroStep[]::new);
        return (in, record) -> steps[in.readIndex(steps.length)].read(in, record);
    }

    /** Reads a record's fields, one after the other. */
    static AvroStep record(Stream<AvroStep> fields) {
        AvroStep[] steps = fields.filter(step -> step != NOTHING).toArray(AvroStep[]::new);
        return (in, record) -> {
            in.enter();
            for (AvroStep step : steps) {
                step.read(in, record);
            }
            in.leave();
        };
    }
}
