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
package org.hadoopmpsr.benchmarks.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.hadoopmpsr.benchmarks.encode.CpuTime;
import org.hadoopmpsr.benchmarks.encode.LocalDirectory;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.ingest.commit.CommitStager;

/**
 * Files of all records, as the sink writes them.
 *
 * @param files in the order of flushes
 * @param bytes of all of them
 * @param cpuNs of sorting, encoding, compressing and writing
 */
record WrittenFiles(List<Path> files, long bytes, long cpuNs) {
    /**
     * Writes all records into a directory that is new.
     *
     * @param flush how many records a flush has at most
     */
    static WrittenFiles of(TrialData data, String codec, int flush, Path directory)
            throws IOException, BadRecordException, InterruptedException {
        ReplicaGroups groups = TrialData.groups(codec);
        LocalDirectory target = new LocalDirectory(directory);
        RecordBuffer buffer = new RecordBuffer(data.schema());
        RecordAppender appender = new RecordAppender(buffer, groups);
        long cpuNs = 0;
        try (CommitStager stager = new CommitStager(target, groups, 1)) {
            int number = 0;
            for (int from = 0; from < data.rows().size(); from += flush) {
                data.append(appender, from, (int) Math.min(data.rows().size(), (long) from + flush));
                String commit = String.format(Locale.ROOT, "c%05d", number++);
                Map<Long, Long> start = CpuTime.byWorker();
                stager.stage(buffer, commit, target.begin(commit));
                cpuNs += CpuTime.since(start);
                buffer.clear();
                if (flush >= data.rows().size()) {
                    break;
                }
            }
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        return new WrittenFiles(files, bytes, cpuNs);
    }
}
