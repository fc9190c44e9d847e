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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.hadoopmpsr.columnar.buffer.BufferFullException;
import org.hadoopmpsr.ingest.commit.LocalTarget.Fault;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever fails, and wherever: every record is in every group exactly once. */
class IngestSessionTest {
    /** What becomes of the task when something fails. */
    private enum Then {
        GOES_ON,
        IS_STOPPED,
        IS_KILLED
    }

    @TempDir
    private Path dir;

    private final Random random = new Random(1);

    /** Fetches as many records as it may. */
    private static final Random MOST = new Random() {
        @Override
        public int nextInt(int bound) {
            return bound - 1;
        }
    };

    private static List<Arguments> faults() {
        List<Arguments> all = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            for (Then then : Then.values()) {
                for (int call : new int[] {1, 4}) {
                    all.add(Arguments.of(fault, call, then));
                }
            }
        }
        return all;
    }

    @ParameterizedTest(name = "{0}, call {1}, {2}")
    @MethodSource("faults")
    void survivesAFaultAtEveryBoundary(Fault fault, int call, Then then) {
        SessionFixture fixture = new SessionFixture(dir, 2);
        for (int i = 0; i < 90; i++) {
            fixture.append(i % 2);
        }
        int[] calls = new int[1];
        boolean[] hit = new boolean[1];
        fixture.target.faults = place -> {
            // an abort comes only after another fault
            if (fault == Fault.ABORT && place == Fault.CREATE || place == fault) {
                if (++calls[0] == call || place == Fault.ABORT) {
                    hit[0] = true;
                    throw new IOException("made to fail");
                }
            }
        };
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        for (int i = 0; i < 12; i++) {
            hit[0] = false;
            boolean failed = false;
            try {
                worker.pass(SessionFixture.BACKOFF_MS);
                worker.poll(9, random);
            } catch (ConnectException e) {
                failed = true;
            }
            if (failed || hit[0] && then != Then.GOES_ON) {
                if (then != Then.IS_KILLED) {
                    worker.stop();
                }
                worker = fixture.worker(fixture.topic.partitions);
            }
        }
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void commitsWhatIsBufferedWhereThereIsNoMemoryForARecord() {
        SessionFixture fixture = new SessionFixture(dir, 2);
        RecordDecoder decoder = fixture.decoder;
        int[] left = {0};
        fixture.decoder = (value, record) -> {
            if (left[0]-- == 0) {
                left[0] = 8; // records until there is no memory again
                throw new BufferFullException("made to be full", new OutOfMemoryError());
            }
            decoder.decode(value, record);
        };
        for (int i = 0; i < 40; i++) {
            fixture.append(i % 2);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(20, MOST);
        assertThat(fixture.target.published).as("commits of 8 records").hasSize(4);
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void givesRecordsBackWhereThereIsNoMemoryAndNothingCanBeCommitted() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        RecordDecoder decoder = fixture.decoder;
        int[] calls = {0};
        fixture.decoder = (value, record) -> {
            if (++calls[0] == 6) {
                throw new BufferFullException("made to be full", new OutOfMemoryError());
            }
            decoder.decode(value, record);
        };
        for (int i = 0; i < 10; i++) {
            fixture.append(0);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        fixture.target.faults = place -> {
            throw new IOException("no NameNode answers");
        };
        worker.poll(10, MOST);
        assertThat(worker.isWaiting()).isTrue();
        assertThat(fixture.target.published).isEmpty();
        worker.pass(SessionFixture.BACKOFF_MS);
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void takesARecordForWhichThereIsNoMemoryAloneForABadOne() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        RecordDecoder decoder = fixture.decoder;
        fixture.decoder = (value, record) -> {
            if (Map.of("id", 1L).equals(value)) {
                throw new BufferFullException("made to be too large", new OutOfMemoryError());
            }
            decoder.decode(value, record);
        };
        fixture.append(0);
        fixture.appendBad(0);
        fixture.append(0);
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        fixture.check();
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(3);

        fixture.appendBad(0);
        FakeWorker strict = fixture.strictWorker();
        strict.open(fixture.topic.partitions);
        assertThatThrownBy(() -> strict.poll(9, MOST))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("made to be too large; give the worker a larger heap");
    }

    @Test
    void leavesNothingStagedAfterFaultsThatItSurvives() throws Exception {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 60; i++) {
            fixture.append(0);
        }
        int[] calls = new int[1];
        fixture.target.faults = place -> {
            if (place == Fault.WRITE && ++calls[0] % 50 == 0) {
                throw new IOException("no space");
            }
        };
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        for (int i = 0; i < 20; i++) {
            worker.poll(30, random);
            worker.pass(SessionFixture.BACKOFF_MS);
        }
        assertThat(calls[0]).isGreaterThan(100);
        fixture.drain(worker, random);
        fixture.check();
        assertThat(fixture.target.staged()).isEmpty();
    }

    @Test
    void commitsAStretchOfBadRecordsToo() throws Exception {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 20; i++) {
            fixture.appendBad(0);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(20, MOST);
        assertThat(fixture.target.offsets).isEmpty();
        worker.pass(SessionFixture.FLUSH_MS);
        worker.poll(0, MOST);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(20);
        fixture.reported.addAll(worker.reported);
        FakeWorker next = fixture.worker(fixture.topic.partitions);
        fixture.append(0);
        fixture.drain(next, random);
        assertThat(next.reported).as("reported once more").isEmpty();
        fixture.check();
    }

    @Test
    void commitsEarlierWhenItHoldsTheLargestPartOfTheWorkersMemory() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 20; i++) {
            fixture.append(0);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(20, MOST);
        BufferMemory.Share other = fixture.memory.join();
        other.set(10 * SessionFixture.WORKER_BYTES);
        worker.poll(0, MOST);
        assertThat(fixture.target.published).as("the other one must").isEmpty();
        other.set(SessionFixture.WORKER_BYTES / 2);
        worker.poll(0, MOST);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(20);
        fixture.append(0);
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void dropsWhatAnotherWriterHasCommittedAndGoesOnThere() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        FakeWorker zombie = fixture.worker(fixture.topic.partitions);
        for (int i = 0; i < 90; i++) {
            fixture.append(0);
        }
        zombie.poll(12, new Random(3)); // buffered, and then it sleeps
        FakeWorker successor = fixture.worker(fixture.topic.partitions);
        while (fixture.target.published.isEmpty()) {
            successor.poll(9, random);
        }
        fixture.drain(zombie, random);
        fixture.check();
    }

    @Test
    void stopsWhenRetentionWasFasterUnlessToldToSkip() {
        SessionFixture fixture = committedAndDeleted(0, 40);
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        assertThatThrownBy(() -> poll(worker, 4))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("meas-0: Kafka has deleted offsets 30 to 39 before they were committed")
                .hasMessageContaining("mpsr.offset.gap=skip");
        fixture.topic.skipGaps = true;
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(60);
    }

    @Test
    void asksForKafkasAddressWhenItCannotTellDeletedRecordsFromTransactions() {
        SessionFixture fixture = committedAndDeleted(0, 40);
        fixture.topic.answers = false;
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        assertThatThrownBy(() -> poll(worker, 4))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("should have offset 30 but has 40")
                .hasMessageContaining("consumer.override.bootstrap.servers");
    }

    @Test
    void withoutAccessToKafkaStopsWhenTheTopicMadeAnewIsShorter() {
        SessionFixture fixture = committedAndDeleted(0, 0);
        fixture.topic.answers = false;
        fixture.topic.recreate();
        fixture.append(0);
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        assertThatThrownBy(() -> poll(worker, 4))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("meas-0: Kafka sends offset 0, but the dataset is committed up to 30")
                .hasMessageContaining("a topic of another name");
    }

    /** 30 records committed, 30 more in Kafka, and those before an offset deleted. */
    private SessionFixture committedAndDeleted(int partition, long before) {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 30; i++) {
            fixture.append(partition);
        }
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        fixture.check();
        for (int i = 0; i < 30; i++) {
            fixture.append(partition);
        }
        fixture.topic.deleteBefore(partition, before);
        return fixture;
    }

    private static void poll(FakeWorker worker, int times) {
        Random always = new Random(5);
        for (int i = 0; i < times; i++) {
            worker.poll(12, always);
        }
    }

    @Test
    void goesOnFromTheNewPlaceWhenTheCommittedEndComesLate() {
        SessionFixture fixture = new SessionFixture(dir, 2);
        for (int i = 0; i < 80; i++) {
            fixture.append(i % 2);
        }
        FakeWorker first = fixture.worker(fixture.topic.partitions);
        for (int i = 0; i < 5; i++) {
            first.poll(12, random);
        }
        first.stop();
        assertThat(fixture.target.published).isNotEmpty();
        for (int i = 0; i < 20; i++) {
            fixture.append(i % 2);
        }
        fixture.topic.commit(Map.of(fixture.topic.partitions.get(0), 0L, fixture.topic.partitions.get(1), 0L));
        boolean[] once = new boolean[1];
        fixture.target.faults = place -> {
            if (place == Fault.DATASET && !once[0]) {
                once[0] = true;
                throw new IOException("failing over");
            }
        };
        FakeWorker second = fixture.worker(fixture.topic.partitions);
        second.poll(12, random);
        fixture.drain(second, random);
        assertThat(once[0]).isTrue();
        fixture.check();
    }

    @Test
    void failsOnTheFirstBadRecordUnlessToldOtherwise() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.append(0);
        fixture.appendBad(0);
        FakeWorker strict = fixture.strictWorker();
        strict.open(fixture.topic.partitions);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 9; i++) {
                        strict.poll(2, random);
                    }
                })
                .isInstanceOf(DataException.class)
                .hasMessage(
                        "bad record at meas-0 offset 1: column 'signal' is not null, but the record has no value for"
                                + " it. Set errors.tolerance=all to leave such records out, with"
                                + " errors.deadletterqueue.topic.name to keep them.");
    }

    @Test
    void countsWhatItDoes() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 40; i++) {
            fixture.append(0);
        }
        fixture.appendBad(0);
        boolean[] once = new boolean[1];
        fixture.target.faults = place -> {
            if (place == Fault.CREATE && !once[0]) {
                once[0] = true;
                throw new IOException("made to fail");
            }
        };
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        poll(worker, 12);
        fixture.drain(worker, random);
        fixture.check();
        assertThat(worker.metrics.value("records-total")).isEqualTo(40);
        assertThat(worker.metrics.value("bad-records-total")).isEqualTo(1);
        assertThat(worker.metrics.value("retries-total")).isEqualTo(1);
        assertThat(worker.metrics.value("fenced-total")).isZero();
        assertThat(worker.metrics.value("buffered-records")).isZero();
        assertThat(worker.metrics.value("commits-total")).isEqualTo(fixture.target.published.size());
        assertThat(worker.metrics.value("files-total")).isGreaterThanOrEqualTo(4);
        assertThat(worker.metrics.value("staged-bytes-total")).isGreaterThan(1000);
        assertThat(worker.metrics.value("stage-time-ms-max")).isGreaterThanOrEqualTo(0);
        assertThat(worker.metrics.value("publish-time-ms-avg")).isGreaterThanOrEqualTo(0);
    }

    @Test
    void theDocumentsListItsMetrics() throws IOException {
        String page = Files.readString(Path.of("../docs/metrics.md"));
        String section = page.substring(page.indexOf("## The metrics of the Connect sink"));
        List<String> listed = Pattern.compile("(?m)^\\| `([a-z-]+)`(?: `([a-z-]+)`)? \\|")
                .matcher(section.substring(0, section.indexOf("\n## ")))
                .results()
                .flatMap(row -> Stream.of(row.group(1), row.group(2)))
                .filter(Objects::nonNull)
                .toList();
        assertThat(new SessionFixture(dir, 1).worker(List.of()).metrics.names())
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void commitsNothingAsLongAsABadRecordIsNotKept() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.appendBad(0);
        for (int i = 0; i < 40; i++) {
            fixture.append(0);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.deadLetterFailure = new IOException("no such topic");
        assertThatThrownBy(() -> poll(worker, 12))
                .isInstanceOf(ConnectException.class)
                .hasMessage("a bad record could not be kept in the dead letter queue")
                .hasRootCauseMessage("no such topic");
        assertThat(fixture.target.published).isEmpty();
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        fixture.check();
    }
}
