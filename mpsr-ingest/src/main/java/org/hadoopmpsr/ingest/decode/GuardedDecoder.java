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

/**
 * Makes a bad record of whatever a message does to its decoder: no message may stop the task when bad records are
 * tolerated. Too little memory may be the fault of what is buffered, and is a {@link BufferFullException}.
 */
public final class GuardedDecoder implements RecordDecoder {
    private final RecordDecoder decoder;

    public GuardedDecoder(RecordDecoder decoder) {
        this.decoder = decoder;
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        try {
            decoder.decode(value, record);
        } catch (BufferFullException e) {
            throw e;
        } catch (StackOverflowError e) {
            throw new BadRecordException("the value is nested too deeply", e);
        } catch (OutOfMemoryError e) {
            throw new BufferFullException("the value needs more memory than the worker has: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new BadRecordException("the value cannot be read: " + e, e);
        }
    }
}
