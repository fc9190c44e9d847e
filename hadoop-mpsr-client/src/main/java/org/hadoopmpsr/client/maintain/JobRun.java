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
package org.hadoopmpsr.client.maintain;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.hadoopmpsr.client.maintain.MaintenanceTask.Result;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;

/**
 * Runs a Spark job in a dataset.
 *
 * @param before the application of the run before, or an empty string
 * @param command the command line
 */
record JobRun(RunRecords records, String datasetId, String before, Command command) {
    /** A command line that is made when the job starts. */
    interface Command {
        List<String> get() throws IOException;
    }

    /** Runs it until it ends, as {@link MaintenanceTask.Work#run} says. */
    Result run(Consumer<String> progress) throws IOException, InterruptedException {
        AtomicReference<String> lastLine = new AtomicReference<>("");
        int code;
        try {
            code = JobProcess.run(
                    command.get(),
                    line -> {
                        lastLine.set(line.isBlank() ? lastLine.get() : line);
                        progress.accept(line);
                    },
                    () -> tell(progress));
        } catch (InterruptedException e) {
            cancel();
            throw e;
        }
        RunRecord record = record().orElse(null);
        long segments = record == null ? 0 : record.done().segments();
        long bytes = record == null ? 0 : record.done().bytes();
        if (code == 0) {
            return new Result(Outcome.DONE, segments, bytes, null);
        }
        if (record != null && record.state() == RunRecord.State.CANCELLED) {
            return new Result(Outcome.ENDED, segments, bytes, null);
        }
        String problem = record == null ? null : record.problem();
        return new Result(
                Outcome.FAILED,
                segments,
                bytes,
                problem == null ? "the job ended with exit code " + code + ": " + lastLine.get() : problem);
    }

    /** The record of this run, as far as it is known. */
    private Optional<RunRecord> record() throws IOException {
        return records.read(datasetId).filter(record -> !record.application().equals(before));
    }

    private void tell(Consumer<String> progress) throws IOException {
        record().ifPresent(record -> progress.accept(record.done().changes() + " of about "
                + record.planned().changes() + " " + records.kind().changes() + ", "
                + record.done().bytes() + " of about " + record.planned().bytes() + " bytes"));
    }

    /** A driver in another process, as on YARN in cluster mode, does not end with {@code spark-submit}. */
    private void cancel() {
        Thread canceller = new Thread(
                () -> {
                    try {
                        records.requestCancel(datasetId);
                    } catch (IOException e) { // then the NameNode fences it, or it ends by itself
                        return;
                    }
                },
                "mpsr-cancel-" + datasetId);
        canceller.setDaemon(true);
        canceller.start();
    }
}
