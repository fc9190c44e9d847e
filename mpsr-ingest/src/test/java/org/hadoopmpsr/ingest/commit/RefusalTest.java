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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.ingest.AllLogs;
import org.hadoopmpsr.ingest.commit.LocalTarget.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task ends with the NameNode's reason where it cannot go on, and else waits and says so once. */
class RefusalTest {
    @TempDir
    private Path dir;

    private final Random random = new Random(1);

    private SessionFixture filled() {
        SessionFixture fixture = new SessionFixture(dir, 1);
        for (int i = 0; i < 60; i++) {
            fixture.append(0);
        }
        return fixture;
    }

    /** Polls until all that Kafka has was handed over at least once. */
    private void poll(FakeWorker worker) {
        for (int i = 0; i < 12; i++) {
            worker.pass(SessionFixture.BACKOFF_MS);
            worker.poll(30, random);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_SUCH_DATASET", "OTHER_DATASET", "OTHER_TOPIC", "TOO_MANY_FILES", "INVALID"})
    void endsTheTaskWhereWaitingIsOfNoUse(Kind kind) {
        SessionFixture fixture = filled();
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        fixture.target.refusal = new Refusal(kind, "because of " + kind);

        assertThatThrownBy(() -> poll(worker))
                .isInstanceOf(ConnectException.class)
                .hasMessage("the dataset /cals/meas takes no commit: because of " + kind);

        worker.stop();
        fixture.target.refusal = null;
        fixture.drain(fixture.worker(fixture.topic.partitions), random);
        fixture.check();
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_PERMISSION", "NO_SPACE", "NOT_READY", "OTHER_VERSION", "NOT_STAGED"})
    void waitsWhereAnOperatorHealsItAndSaysSoOnce(Kind kind) {
        SessionFixture fixture = filled();
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        fixture.target.refusal = new Refusal(kind, "because of " + kind);
        try (AllLogs logs = AllLogs.start()) {
            poll(worker);

            assertThat(logs.lines().stream().filter(line -> line.contains("because of " + kind)))
                    .singleElement()
                    .asString()
                    .contains("the dataset /cals/meas waits");
        }
        assertThat(worker.isWaiting()).isTrue();
        assertThat(worker.paused).isEqualTo(worker.assignment());
        assertThat(fixture.target.published).isEmpty();
        assertThat(worker.metrics.value("retries-total")).isGreaterThan(3);

        fixture.target.refusal = null;
        fixture.drain(worker, random);
        fixture.check();
        assertThat(worker.isWaiting()).isFalse();
        assertThat(worker.paused).isEmpty();
    }

    /** The files are staged once, however often the publish is refused for a while. */
    @Test
    void keepsWhatIsStagedWhileItWaits() throws IOException {
        SessionFixture fixture = filled();
        int[] begun = new int[1];
        fixture.target.faults = place -> {
            begun[0] += place == Fault.BEGIN ? 1 : 0;
            fixture.target.refusal =
                    place == Fault.BEFORE_PUBLISH ? new Refusal(Kind.NO_PERMISSION, "Permission denied") : null;
        };
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        poll(worker);
        assertThat(begun[0]).isEqualTo(1);
        assertThat(fixture.target.staged()).hasSize(1);
        fixture.target.refusal = null;
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void saysThatACommitHasTooManyFilesByTheNameNodesLimit() {
        SessionFixture fixture = filled();
        fixture.target.maxFiles = 3;
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        assertThatThrownBy(() -> poll(worker))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("a commit of 25 records would make 5 files")
                .hasMessageContaining("at most 3 at once (dfs.mpsr.commit.max.files)");
    }

    @Test
    void aDatasetThatWasCreatedAgainGetsNothingOfTheOldOne() {
        SessionFixture fixture = filled();
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(20, random);
        fixture.target.id = "2";
        assertThatThrownBy(() -> poll(worker))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("the dataset at /cals/meas is another one");
        assertThat(fixture.target.published).isEmpty();
        worker.stop();
    }

    @Test
    void withAPatternOfTopicsADatasetThatIsGoneIsWaitedForAndOpenedAnew() {
        SessionFixture fixture = filled();
        fixture.waitsForDataset = true;
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        worker.poll(20, random);
        LocalTarget before = fixture.target;
        before.id = "";
        fixture.openFailure = new FileNotFoundException("/cals/meas is not a dataset");
        poll(worker);
        assertThat(worker.isWaiting()).isTrue();

        fixture.openFailure = null;
        fixture.target = new LocalTarget(dir.resolve("anew"), SessionFixture.SCHEMA, SessionFixture.GROUPS);
        fixture.drain(worker, random);
        fixture.check();
        assertThat(before.published).isEmpty();
    }

    @Test
    void aDatasetWhoseGroupsWereAlteredIsOpenedAnew() {
        SessionFixture fixture = filled();
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        LocalTarget before = fixture.target;
        before.refusal = new Refusal(Kind.GROUPS_CHANGED, "the dataset has the group 'signal.2' now");
        fixture.target = new LocalTarget(dir.resolve("altered"), SessionFixture.SCHEMA, SessionFixture.GROUPS);
        try (AllLogs logs = AllLogs.start()) {
            fixture.drain(worker, random);
            assertThat(logs.lines()).anyMatch(line -> line.contains("the dataset has the group 'signal.2' now"));
        }
        fixture.check();
        assertThat(before.published).isEmpty();
        assertThat(worker.isWaiting()).isFalse();
    }

    @Test
    void aTaskThatStartsWhileTheNameNodeIsAwayWaitsAsARunningOneDoes() {
        SessionFixture fixture = filled();
        for (IOException failure : List.of(
                new IOException("Connection refused"),
                new RemoteException(RpcNoSuchProtocolException.class.getName(), "Unknown protocol: Mpsr"))) {
            fixture.openFailure = failure;
            try (AllLogs logs = AllLogs.start()) {
                FakeWorker worker = fixture.worker(fixture.topic.partitions);
                poll(worker);
                assertThat(worker.isWaiting()).isTrue();
                assertThat(worker.untilDueMs()).isBetween(1L, SessionFixture.BACKOFF_MS);
                assertThat(logs.lines().stream().filter(line -> line.contains("waits, tried again")))
                        .singleElement()
                        .asString()
                        .contains(failure.getMessage());
                if (failure instanceof RemoteException) {
                    assertThat(logs.lines()).anyMatch(line -> line.contains("the NameNode runs without MPSR; set"));
                }
                worker.stop();
            }
        }
        FakeWorker worker = fixture.worker(fixture.topic.partitions);
        poll(worker);
        fixture.openFailure = null;
        fixture.drain(worker, random);
        fixture.check();
    }

    @Test
    void aNamedTopicWithoutDatasetEndsTheTask() {
        SessionFixture fixture = filled();
        fixture.openFailure = new FileNotFoundException("/cals/meas is not a dataset");
        assertThatThrownBy(() -> fixture.worker(fixture.topic.partitions))
                .isInstanceOf(ConnectException.class)
                .hasMessage("there is no dataset at /cals/meas; create it with 'hdfs mpsr dataset create'");
    }
}
