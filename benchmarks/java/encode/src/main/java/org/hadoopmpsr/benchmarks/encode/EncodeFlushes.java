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
package org.hadoopmpsr.benchmarks.encode;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.hadoopmpsr.benchmarks.proto.Measurement;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.protobuf.ProtobufDecoder;

/** Decodes the same messages and writes the files of all groups, as often as it is told, and takes the time. */
final class EncodeFlushes implements AutoCloseable {
    private static final String COMMIT = "c";

    private final byte[][] messages;
    private final RecordBuffer buffer;
    private final RecordAppender appender;
    private final ProtobufDecoder decoder;
    private final LocalDirectory target;
    private final CommitStager stager;

    /** @param root where files are written and deleted; goes with the last of them */
    EncodeFlushes(byte[][] messages, Schema schema, ReplicaGroups groups, Path root) {
        this.messages = messages;
        buffer = new RecordBuffer(schema);
        appender = new RecordAppender(buffer, groups);
        decoder = new ProtobufDecoder(Measurement.getDescriptor(), schema, ColumnMapping.BY_NAME);
        target = new LocalDirectory(root);
        stager = new CommitStager(target, groups, 1);
    }

    /** Nanoseconds of one flush, and what it has written; the threads are those that do the work. */
    record Flush(
            long decodeNs, long stageNs, long decodeThreadNs, long stageThreadNs, long cpuNs, int files, long bytes) {}

    /** Decodes all messages and writes their files, which are deleted then. */
    Flush one() throws IOException, BadRecordException, InterruptedException {
        long cpu = cpuNs();
        long thread = CpuTime.ofThreadAndWriters();
        long start = System.nanoTime();
        for (byte[] message : messages) {
            appender.begin();
            decoder.decode(message, appender);
            appender.end(0);
        }
        long decoded = System.nanoTime();
        long decodedThread = CpuTime.ofThreadAndWriters();
        List<StagedFile> staged =
                stager.stage(buffer, COMMIT, target.begin(COMMIT)).files();
        long end = System.nanoTime();
        Flush flush = new Flush(
                decoded - start,
                end - decoded,
                decodedThread - thread,
                CpuTime.ofThreadAndWriters() - decodedThread,
                cpuNs() - cpu,
                staged.size(),
                target.sizeBytes(COMMIT));
        target.abort(COMMIT);
        buffer.clear();
        return flush;
    }

    /** Of the whole process, with garbage collection and compilation. */
    private static long cpuNs() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    @Override
    public void close() throws IOException {
        stager.close();
        target.close();
    }
}
