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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.connect.sink.SinkRecord;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.junit.jupiter.api.Test;

class BadRecordMessageTest {
    private final SinkRecord record = new SinkRecord("meas", 3, null, null, null, "x", 7);
    private final BadRecordException reason = new BadRecordException("the value is not a JSON object");

    @Test
    void advisesToTolerateBadRecordsOnlyWhereTheyAreNot() {
        assertThat(BadRecords.message(record, reason, false))
                .isEqualTo("bad record at meas-3 offset 7: the value is not a JSON object. Set errors.tolerance=all to"
                        + " leave such records out, with errors.deadletterqueue.topic.name to keep them.");
        assertThat(BadRecords.message(record, reason, true))
                .isEqualTo("bad record at meas-3 offset 7: the value is not a JSON object");
    }

    @Test
    void aValueForgesNoLine() {
        BadRecordException hostile = new BadRecordException("'a\nINFO all is well\u001b[1A' is bad");
        assertThat(BadRecords.message(record, hostile, true))
                .isEqualTo("bad record at meas-3 offset 7: 'a\\u000aINFO all is well\\u001b[1A' is bad");
    }
}
