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
package org.hadoopmpsr.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MoveRecordTest {

    @Test
    void aNameComesBackEqual() {
        MoveRecord record = new MoveRecord(12, "by-signal_2", 20, 0);
        assertThat(record.name()).isEqualTo("move=12=20=by-signal_2");
        assertThat(MoveRecord.parse(record.name())).contains(record);
    }

    @Test
    void aNameWithABandwidthComesBackEqual() {
        MoveRecord record = new MoveRecord(1, "100", 20, 10L << 20);
        assertThat(record.name()).isEqualTo("move=1=20=10485760=100");
        assertThat(MoveRecord.parse(record.name())).contains(record);
    }

    @Test
    void otherNamesAreNoRecords() {
        assertThat(MoveRecord.parse("move=1=2=")).isEmpty();
        assertThat(MoveRecord.parse("move=1=99999999999=a")).isEmpty();
        assertThat(MoveRecord.parse("removed")).isEmpty();
    }
}
