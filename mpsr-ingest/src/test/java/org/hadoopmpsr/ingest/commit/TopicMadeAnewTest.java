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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic that is deleted and made anew is another topic, however many records it has. */
class TopicMadeAnewTest {
    private static final int COMMITTED = 25;

    @TempDir
    private Path dir;

    private final Random random = new Random(1);

    /** 25 records committed. */
    private SessionFixture committed() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < COMMITTED; i++) {
            fixture.append(0);
        }
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        fixture.check();
        return fixture;
    }

    private void makeAnew(SessionFixture fixture, int records) {
        fixture.topic.recreate();
        for (int i = 0; i < records; i++) {
            fixture.append(0);
        }
    }

    private void poll(FakeWorker worker) {
        for (int i = 0; i < 20; i++) {
            worker.pass(SessionFixture.FLUSH_MS);
            worker.poll(30, random);
        }
    }

    @ParameterizedTest(name = "{0} records")
    @ValueSource(ints = {24, 25, 26, 49, 50, 51})
    void isFoundWhileTheTaskRuns(int records) {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < COMMITTED; i++) {
            fixture.append(0);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        for (int i = 0; fixture.target.published.isEmpty(); i++) {
            assertThat(i).isLessThan(100);
            worker.poll(30, random);
        }
        List<String> before = List.copyOf(fixture.target.published);

        makeAnew(fixture, records);
        if (records > COMMITTED) {
            assertThatThrownBy(() -> poll(worker))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("the topic meas was deleted and made anew while the task runs: its id was"
                            + " meas#1 and is meas#2")
                    .hasMessageContaining("from offset 25 on");
        } else if (records < COMMITTED) {
            assertThatThrownBy(() -> poll(worker))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("Kafka sends offset 0, but the dataset is committed up to 25");
        } else {
            poll(worker); // there is no record yet that could tell
            fixture.append(0);
            assertThatThrownBy(() -> poll(worker)).hasMessageContaining("made anew while the task runs");
        }
        assertThat(fixture.target.published).isEqualTo(before);
    }

    @ParameterizedTest(name = "{0} records")
    @ValueSource(ints = {0, 24, 25, 26})
    void isFoundWhenTheTaskStarts(int records) {
        SessionFixture fixture = committed();
        makeAnew(fixture, records);
        assertThatThrownBy(() -> fixture.worker(fixture.topic.partitions))
                .isInstanceOf(ConnectException.class)
                .hasMessage("the topic meas (id meas#2) is not the one that the dataset is committed from (id meas#1,"
                        + " partition 0 up to 25): it was deleted and made anew. Send its records to a topic of another"
                        + " name");
    }

    /** As after an upgrade. */
    @Test
    void offsetsWithoutAnIdGetTheOneOfTheTopicThatIsThere() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.topic.answers = false;
        for (int i = 0; i < COMMITTED; i++) {
            fixture.append(0);
        }
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        assertThat(fixture.target.offsets.get("meas-0").topicId()).isNull();

        fixture.topic.answers = true;
        fixture.append(0);
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        fixture.check();
        assertThat(fixture.target.offsets.get("meas-0").topicId()).isEqualTo("meas#1");
    }
}
