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
package org.hadoopmpsr.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.run.RunRecord.Progress;
import org.hadoopmpsr.client.run.RunRecord.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRecordsTest {
    private static final RunRecord RUN = new RunRecord(
            "/cals/méas=1",
            "app-1",
            "ingest",
            State.RUNNING,
            1_000,
            11_000,
            "merge-1-4-0a",
            new Progress(1, 4, 8, 250, 2, 7),
            new Progress(3, 12, 24, 1_000, 6, 0),
            " a \\ problem\nof two lines");

    private static RunRecord with(State state, long doneBytes) {
        return new RunRecord(
                "/d",
                "a",
                "u",
                state,
                1_000,
                11_000,
                null,
                new Progress(0, 0, 0, doneBytes, 0, 0),
                RUN.planned(),
                null);
    }

    private static RunRecords records(Path directory) throws IOException {
        Configuration conf = new Configuration();
        return new RunRecords(JobKind.COMPACT, FileSystem.getLocal(conf), conf, "file://" + directory);
    }

    @Test
    void aRecordIsReadAsItIsWritten(@TempDir Path directory) throws IOException {
        RunRecords records = records(directory.resolve("runs"));
        assertThat(records.read("meas-1")).isEmpty();
        records.write("meas-1", RUN);
        records.write("meas-1", with(State.DONE, 5));
        assertThat(records.read("meas-1")).contains(with(State.DONE, 5));
        records.write("meas-1", RUN);
        assertThat(records.read("meas-1")).contains(RUN);
        // records of older versions have no duplicates
        assertThat(RUN.text()).contains("duplicates=7\n");
        assertThat(RunRecord.parse(RUN.text().replace("duplicates=7\n", ""))
                        .done()
                        .duplicates())
                .isZero();
        assertThat(records.read("meas-2")).isEmpty();
    }

    @Test
    void aRunIsAskedToEnd(@TempDir Path directory) throws IOException {
        RunRecords records = records(directory);
        assertThat(records.isCancelRequested("meas-1")).isFalse();
        records.requestCancel("meas-1");
        assertThat(records.isCancelRequested("meas-1")).isTrue();
        assertThat(records.isCancelRequested("meas-2")).isFalse();
        records.clearCancel("meas-1");
        assertThat(records.isCancelRequested("meas-1")).isFalse();
        records.clearCancel("meas-1");
    }

    @Test
    void aRecordThatCannotBeReadOrWrittenIsAnError(@TempDir Path directory) throws IOException {
        RunRecords records = records(directory);
        Files.writeString(directory.resolve("meas-1.run"), "version=1\ndataset=/d\n");
        assertThatThrownBy(() -> records.read("meas-1"))
                .hasMessage("the record of a run cannot be read: it has no 'application'");
        Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> records(directory.resolve("file")).write("meas-1", RUN))
                .hasMessageStartingWith("the record of the compaction cannot be written to")
                .hasMessageContaining("--run-dir");
    }

    @Test
    void theTimeLeftFollowsFromTheBytes() {
        assertThat(RUN.leftMs()).isEqualTo(30_000);
        assertThat(with(State.RUNNING, 0).leftMs()).isEqualTo(-1);
        assertThat(with(State.RUNNING, 1_000).leftMs()).isZero();
        assertThat(with(State.DONE, 250).leftMs()).isZero();
    }

    @Test
    void aSilentDriverIsLost() {
        assertThat(RUN.isAlive(11_000 + RunRecord.SILENT_MS - 1)).isTrue();
        assertThat(RUN.isAlive(11_000 + RunRecord.SILENT_MS)).isFalse();
        assertThat(with(State.FAILED, 0).isAlive(11_000)).isFalse();
    }
}
