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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.BufferFullException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GuardedDecoderTest {
    private final RecordAppender record = new RecordAppender(new RecordBuffer(Schema.parse("signal string")));

    private static Stream<Throwable> failures() {
        return Stream.of(
                new StackOverflowError(), new IllegalStateException("broken"), new NegativeArraySizeException("-1"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whateverARecordDoesToItsDecoderMakesItABadRecord(Throwable failure) {
        GuardedDecoder guarded = new GuardedDecoder((value, appender) -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        });
        assertThatThrownBy(() -> guarded.decode("x", record))
                .isInstanceOf(BadRecordException.class)
                .hasMessageStartingWith("the value ")
                .hasCause(failure);
    }

    /** What is buffered may be the cause. */
    @Test
    void tooLittleMemoryIsNotTheRecordsFaultYet() {
        OutOfMemoryError failure = new OutOfMemoryError("Java heap space");
        assertThatThrownBy(() -> new GuardedDecoder((value, appender) -> {
                            throw failure;
                        })
                        .decode("x", record))
                .isInstanceOf(BufferFullException.class)
                .hasMessage("the value needs more memory than the worker has: Java heap space; give the worker a"
                        + " larger heap")
                .hasCause(failure);
    }

    @Test
    void otherErrorsAreNotTheRecordsFault() {
        assertThatThrownBy(() -> new GuardedDecoder((value, appender) -> {
                            throw new NoClassDefFoundError("x");
                        })
                        .decode("x", record))
                .isInstanceOf(NoClassDefFoundError.class);
    }
}
