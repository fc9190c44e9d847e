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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.flush.FlushCodecs;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.layout.GroupLayout;
import org.hadoopmpsr.columnar.layout.GroupLayout.FileSlice;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Writes buffered records to files in all groups, several at a time. One commit is staged at a time. */
public final class CommitStager implements AutoCloseable {
    /**
     * The files of a commit, written and closed.
     *
     * @param refusal why none is written; null when all are
     */
    public record StagedFiles(
            List<StagedFile> files, @Nullable Refusal refusal) {}

    private static final Logger LOG = PrintableLog.of(CommitStager.class);

    private final CommitTarget target;
    private final ReplicaGroups groups;
    private final ExecutorService pool;
    private final FlushCodecs codecs;
    private final LongAdder stagedBytes = new LongAdder();

    public CommitStager(CommitTarget target, ReplicaGroups groups, int threads) {
        this(target, groups, threads, new FlushCodecs(change -> LOG.info("codec=auto: {}", change)));
    }

    /** @param codecs for columns whose codec is {@code auto}; closed with this */
    CommitStager(CommitTarget target, ReplicaGroups groups, int threads, FlushCodecs codecs) {
        this.codecs = codecs;
        this.target = target;
        this.groups = groups;
        AtomicInteger number = new AtomicInteger();
        ClassLoader loader = CommitStager.class.getClassLoader();
        pool = Executors.newFixedThreadPool(threads, job -> {
            Thread thread = new Thread(job, "mpsr-writer-" + number.incrementAndGet());
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
            return thread;
        });
    }

    /**
     * Writes and closes all files of a commit, or none where there are too many. When it throws, no file is being written
     * any more.
     *
     * @return the files of all groups; none when nothing is buffered
     */
    public StagedFiles stage(RecordBuffer buffer, String commitId, BegunCommit begun)
            throws IOException, InterruptedException {
        if (buffer.rows() == 0) {
            return new StagedFiles(List.of(), null);
        }
        Batch batch = new Batch(buffer, groups);
        List<Callable<GroupLayout>> layouts = new ArrayList<>();
        groups.groups().forEach(group -> layouts.add(() -> batch.layout(group)));
        List<FileJob> jobs = new ArrayList<>();
        for (GroupLayout layout : all(layouts)) {
            GroupFileWriter writer =
                    new GroupFileWriter(groups, layout.group(), buffer.schema()).withCodecs(codecs.pages());
            List<FileColumn> columns = writer.columns(layout.records());
            for (FileSlice slice : layout.files()) {
                SortedRows rows = writer.rows(layout.records(), layout.order(), slice.from(), slice.to());
                jobs.add(new FileJob(writer, slice, rows, columns, commitId, begun.stagingDir(), jobs.size()));
            }
        }
        if (jobs.size() > begun.maxFiles()) {
            return new StagedFiles(List.of(), tooMany(buffer.rows(), jobs.size(), begun.maxFiles()));
        }
        jobs.sort(Comparator.comparingInt((FileJob job) -> job.slice.rows()).reversed());
        return new StagedFiles(write(jobs), null);
    }

    private static Refusal tooMany(int records, int files, int maxFiles) {
        return new Refusal(
                Refusal.Kind.TOO_MANY_FILES,
                "a commit of " + records + " records would make " + files
                        + " files, and the NameNode publishes at most "
                        + maxFiles
                        + " at once (dfs.mpsr.commit.max.files); the predicates of the replica groups are too"
                        + " fine: use bucket, truncate or a longer span of time, or lower mpsr.flush.records");
    }

    private List<StagedFile> write(List<FileJob> jobs) throws IOException, InterruptedException {
        AtomicBoolean failed = new AtomicBoolean();
        List<Callable<@Nullable StagedFile>> calls = new ArrayList<>();
        for (FileJob job : jobs) {
            calls.add(() -> {
                if (failed.get()) {
                    return null;
                }
                boolean done = false;
                try {
                    StagedFile file = write(job);
                    done = true;
                    return file;
                } finally {
                    failed.compareAndSet(false, !done);
                }
            });
        }
        List<StagedFile> files = new ArrayList<>();
        for (StagedFile file : all(calls)) {
            if (file != null) {
                files.add(file);
            }
        }
        return files;
    }

    /** How the codecs of {@code auto} are chosen. */
    FlushCodecs codecs() {
        return codecs;
    }

    /** The length of all files written so far. */
    long stagedBytes() {
        return stagedBytes.sum();
    }

    private StagedFile write(FileJob job) throws IOException {
        String group = job.writer.group().name();
        String path = job.writer.relativePath(job.slice.partition(), job.commitId, job.number);
        OutputFile out = target.file(job.stagingDir + "/" + group + "/" + path);
        GroupFileWriter.WrittenFile written =
                codecs.write(out, job.writer.group().codec(), job::write);
        stagedBytes.add(written.bytes());
        return new StagedFile(group, path, written.statistics(), written.bytes());
    }

    /** Runs all and waits for all, whatever fails. */
    private <T extends @Nullable Object> List<T> all(List<Callable<T>> calls) throws IOException, InterruptedException {
        List<T> results = new ArrayList<>();
        Throwable first = null;
        for (Future<T> future : pool.invokeAll(calls)) {
            try {
                results.add(future.get());
            } catch (ExecutionException e) {
                first = first == null ? e.getCause() : first;
            }
        }
        if (first instanceof IOException e) {
            throw new IOException("cannot write the files of a commit: " + e.getMessage(), e);
        }
        if (first != null) {
            throw new IllegalStateException("cannot write the files of a commit: " + first, first);
        }
        return results;
    }

    @Override
    public void close() {
        pool.shutdownNow();
        codecs.close();
    }

    private record FileJob(
            GroupFileWriter writer,
            FileSlice slice,
            SortedRows rows,
            List<FileColumn> columns,
            String commitId,
            String stagingDir,
            int number) {
        GroupFileWriter.WrittenFile write(OutputFile out) throws IOException {
            return writer.write(out, columns, rows, slice.partition(), slice.content(), commitId);
        }
    }
}
