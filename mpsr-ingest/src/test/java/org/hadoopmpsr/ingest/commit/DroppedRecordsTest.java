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
import java.util.Random;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.ingest.AllLogs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offsets without a record for the dataset: dropped on the way, bad, deleted, or before the beginning. */
class DroppedRecordsTest {
    /** Fetches as many records as it may, and asks for nothing in between. */
    private static final Random MOST = new Random() {
        @Override
        public int nextInt(int bound) {
            return bound - 1;
        }
    };

    @TempDir
    private Path dir;

    private final Random random = new Random(1);

    private void commit(FakeWorker worker) {
        worker.preCommit();
        worker.pass(SessionFixture.FLUSH_MS);
        worker.poll(0, MOST);
        worker.preCommit();
    }

    @Test
    void whatATransformationDropsIsCoveredByTheNextCommit() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.topic.dropped = "dropped"::equals;
        for (int i = 0; i < 10; i++) {
            fixture.append(0);
            fixture.topic.append(0, "dropped");
        }
        fixture.topic.append(0, "dropped");
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(50, MOST);
        commit(worker);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(21);
        assertThat(fixture.topic.groupOffset(fixture.topic.partitions.get(0)))
                .as("no lag")
                .isEqualTo(21);
        fixture.check();

        // what comes after is dropped, and then deleted by retention: nothing is lost
        for (int i = 0; i < 9; i++) {
            fixture.topic.append(0, "dropped");
        }
        worker.poll(50, MOST);
        worker.preCommit();
        fixture.topic.deleteBefore(0, 30);
        fixture.append(0);
        worker.poll(50, MOST);
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void aPartitionOfDroppedRecordsOnlyIsCommittedTooAndAStartReadsNoneAgain() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.topic.dropped = "dropped"::equals;
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.preCommit();
        for (int i = 0; i < 10; i++) {
            fixture.topic.append(0, "dropped");
        }
        worker.poll(50, MOST);
        commit(worker);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(10);

        FakeWorker next = fixture.worker(fixture.topic.partitions);
        for (int i = 0; i < 5; i++) {
            fixture.topic.append(0, "dropped");
        }
        next.poll(50, MOST);
        commit(next);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(15);
    }

    /** Nobody says where such a partition began, so the dataset has no offset of it; Kafka's offset shows that it is done. */
    @Test
    void aNewPartitionWhoseFirstFetchIsDroppedShowsNoLagAndIsNotReadAgain() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.topic.dropped = "dropped"::equals;
        for (int i = 0; i < 10; i++) {
            fixture.topic.append(0, "dropped");
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(50, MOST);
        commit(worker);
        assertThat(fixture.topic.groupOffset(fixture.topic.partitions.get(0)))
                .as("no lag")
                .isEqualTo(10);

        FakeWorker next = fixture.worker(fixture.topic.partitions);
        fixture.append(0);
        next.poll(50, MOST);
        next.preCommit();
        assertThat(fixture.topic.groupOffset(fixture.topic.partitions.get(0)))
                .as("what is buffered is not done")
                .isEqualTo(10);
        FakeWorker last = fixture.worker(fixture.topic.partitions);
        fixture.drain(last, random);
        fixture.check();
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(11);
    }

    /** Connect says that it has handed over what was fenced; only what comes after the seek counts. */
    @Test
    void whatWasHandedOverBeforeASeekIsNotTakenForDone() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 20; i++) {
            fixture.append(0);
        }
        FakeWorker zombie = fixture.worker(fixture.topic.partitions);
        zombie.poll(20, MOST);
        FakeWorker other = fixture.worker(fixture.topic.partitions);
        other.poll(10, MOST);
        commit(other);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(10);

        zombie.pass(SessionFixture.FLUSH_MS);
        zombie.poll(0, MOST); // fenced, and goes back to 10
        zombie.preCommit();
        commit(zombie);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(10);
        fixture.drain(zombie, random);
        fixture.check();
    }

    /** A transaction's end is no record: when retention has deleted it nobody can tell. */
    @Test
    void endsOfTransactionsAreCoveredBeforeRetentionDeletesThem() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 5; i++) {
            fixture.append(0);
        }
        fixture.topic.appendMarker(0);
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(50, MOST);
        commit(worker);
        commit(worker);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(6);

        fixture.topic.deleteBefore(0, 6);
        fixture.append(0);
        fixture.drain(worker, random);
        fixture.check();

        fixture.topic.appendMarker(0);
        commit(worker);
        FakeWorker next = fixture.worker(fixture.topic.partitions);
        commit(next);
        commit(next);
        assertThat(fixture.target.offsets.get("meas-0").end())
                .as("after a start")
                .isEqualTo(8);
    }

    @Test
    void skippingGoesToTheEarliestRecordThatKafkaHasThoughTheConsumerIsAtTheLatest() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 25; i++) {
            fixture.append(0);
        }
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        for (int i = 0; i < 15; i++) {
            fixture.topic.append(0, java.util.Map.of()); // deleted before they are read
        }
        fixture.topic.deleteBefore(0, 40);
        for (int i = 0; i < 20; i++) {
            fixture.append(0);
        }
        fixture.topic.skipGaps = true;
        fixture.topic.resetsToLatest = true;
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(0, MOST); // 25 is out of range: from the end on
        fixture.append(0);
        worker.poll(20, MOST); // may have been fetched before the seek, which is made again
        worker.poll(0, MOST);
        fixture.append(0);
        fixture.drain(worker, random);
        fixture.check();
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(62);
    }

    @Test
    void withoutAccessToKafkaTheMessageNamesAllCauses() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.topic.answers = false;
        fixture.append(0);
        fixture.topic.appendMarker(0);
        fixture.append(0);
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        assertThatThrownBy(() -> worker.poll(9, MOST))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("should have offset 1 but has 2")
                .hasMessageContaining("records that a transformation or a converter drops")
                .hasMessageContaining(
                        "Set consumer.override.bootstrap.servers of the connector to the brokers that the worker"
                                + " has in bootstrap.servers");
    }

    @Test
    void aBadRecordThatConnectCouldNotSendEndsTheTaskBeforeItsOffsetIsCommitted() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.append(0);
        fixture.appendBad(0);
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(9, MOST);
        worker.lostDeadLetters = 1;
        worker.pass(SessionFixture.FLUSH_MS);
        assertThatThrownBy(() -> worker.poll(0, MOST))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("Connect could not send 1 bad records to the dead letter queue")
                .hasMessageContaining("producer.override.max.request.size");
        assertThat(fixture.target.published).isEmpty();
    }

    @Test
    void badRecordsCountForTheLimitsAndAreForgottenWhenTheyAreKept() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 60; i++) {
            fixture.appendBad(0);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(60, MOST);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(50);
    }

    @Test
    void bytesOfBadRecordsThatAreNotKeptYetForceACommit() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        fixture.limits = new FlushLimits(1_000, 5_000, 1L << 30, SessionFixture.FLUSH_MS, SessionFixture.BACKOFF_MS);
        for (int i = 0; i < 20; i++) {
            fixture.appendBad(0);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.keepsLate = true;
        worker.poll(20, MOST);
        assertThat(fixture.target.offsets.get("meas-0").end()).isEqualTo(20);
    }

    @Test
    void theLimitOfRecordsHoldsWithinOnePoll() {
        SessionFixture fixture = new SessionFixture(dir, 2);
        for (int i = 0; i < 120; i++) {
            fixture.append(i % 2);
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(60, MOST);
        assertThat(fixture.target.published).hasSize(4);
        assertThat(worker.metrics.value("records-total")).isEqualTo(100);
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void aBeginningFarAboveTheFirstRecordIsWarnedOf() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 30; i++) {
            fixture.append(0);
        }
        fixture.topic.commit(java.util.Map.of(fixture.topic.partitions.get(0), 20L));
        try (AllLogs logs = AllLogs.start()) {
            FakeWorker worker = fixture.worker(fixture.topic.partitions);
            worker.poll(0, MOST);
            worker.preCommit();
            worker.poll(20, MOST);
            assertThat(logs.lines().stream().filter(line -> line.contains("nothing of it is committed to the dataset")))
                    .singleElement()
                    .asString()
                    .contains("meas-0")
                    .contains("begins at offset 20");
        }
        fixture.topic.deleteBefore(0, 20);
        try (AllLogs logs = AllLogs.start()) {
            fixture.worker(fixture.topic.partitions).poll(20, MOST);
            assertThat(logs.lines()).noneMatch(line -> line.contains("nothing of it is committed to the dataset"));
        }
    }
}
