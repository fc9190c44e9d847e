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
package org.hadoopmpsr.namenode.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.junit.jupiter.api.Test;

class PrintableErrorsTest {
    @Test
    void anErrorThatCanBePrintedStaysItself() {
        IOException error = new IOException("MPSR is off: 1 problem(s)\n  - key", new IOException("cause"));
        assertThat(PrintableErrors.of(error)).isSameAs(error);
    }

    @Test
    void anotherKeepsItsClassAndLosesTheCausesThatHoldTheText() {
        IOException error = new FileNotFoundException("no /a\nb");
        error.initCause(new IOException("/a\nb"));
        assertThat(PrintableErrors.of(error))
                .isExactlyInstanceOf(FileNotFoundException.class)
                .hasMessage("no /a\\u000ab")
                .hasNoCause()
                .satisfies(copy -> assertThat(copy.getStackTrace()).isEqualTo(error.getStackTrace()));
        assertThat(PrintableErrors.of(new IOException("failed", error)))
                .hasMessage("failed")
                .hasNoCause();
    }

    @Test
    void theMessageOfSafeModeIsOneSentenceAfterTheOther() {
        assertThat(PrintableErrors.of(new SafeModeException(
                        "Cannot create /a. Name node is in safe mode.\nThe reported blocks 0 need more.")))
                .isExactlyInstanceOf(SafeModeException.class)
                .hasMessage("Cannot create /a. Name node is in safe mode. The reported blocks 0 need more.");
    }
}
