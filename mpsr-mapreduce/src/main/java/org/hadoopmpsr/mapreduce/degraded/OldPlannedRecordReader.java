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
package org.hadoopmpsr.mapreduce.degraded;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.hadoopmpsr.client.degraded.PartReader;
import org.hadoopmpsr.client.degraded.PartRecords;
import org.hadoopmpsr.mapreduce.task.OldPlannedSplit;
import org.jspecify.annotations.Nullable;

/** Reads a part of a planned file in the old API. For one thread. */
final class OldPlannedRecordReader<K, V> implements RecordReader<K, V> {
    private final InputFormat<K, V> format;
    private final OldPlannedSplit split;
    private final JobConf conf;
    private final Reporter reporter;
    private final PartReader<RecordReader<K, V>> part;

    /** The one that was opened last. */
    private @Nullable RecordReader<K, V> opened;

    /** What the next record is read into; null as long as nobody takes records. */
    private @Nullable Target<K, V> target;

    private record Target<K, V>(K key, V value) {}

    OldPlannedRecordReader(InputFormat<K, V> format, OldPlannedSplit split, JobConf conf, Reporter reporter)
            throws IOException {
        this.format = format;
        this.split = split;
        this.conf = conf;
        this.reporter = reporter;
        part = new Reads().reader();
        try {
            part.begin();
        } catch (Exception e) {
            throw thrown(e);
        }
    }

    private static IOException thrown(Exception failure) {
        if (failure instanceof RuntimeException known) {
            throw known;
        }
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return (InterruptedIOException) new InterruptedIOException().initCause(failure);
        }
        return TaskReads.thrown(failure);
    }

    private RecordReader<K, V> opened() {
        if (opened == null) {
            throw new IllegalStateException("no reader was opened");
        }
        return opened;
    }

    @Override
    public boolean next(K key, V value) throws IOException {
        if (target == null || target.key() != key || target.value() != value) {
            target = new Target<>(key, value);
        }
        try {
            if (!part.hasNext()) {
                return false;
            }
            part.next();
            return true;
        } catch (Exception e) {
            throw thrown(e);
        }
    }

    @Override
    public K createKey() {
        return opened().createKey();
    }

    @Override
    public V createValue() {
        return opened().createValue();
    }

    @Override
    public long getPos() throws IOException {
        return opened().getPos();
    }

    @Override
    public float getProgress() throws IOException {
        return opened().getProgress();
    }

    @Override
    public void close() throws IOException {
        part.close();
    }

    private final class Reads extends TaskReads<RecordReader<K, V>> {
        Reads() {
            super(conf, new PlannedPart(split.getPath(), split.getStart(), split.getLength(), split.planned()));
        }

        @Override
        PartRecords<RecordReader<K, V>> open(Path file, long start, long length) throws Exception {
            FileSplit its = new FileSplit(file, start, length, split.getLocations());
            RecordReader<K, V> reader = format.getRecordReader(its, conf, reporter);
            opened = reader;
            return new Records(reader);
        }

        @Override
        void count() {
            reporter.incrCounter(COUNTERS, DEGRADED_READS, 1);
        }
    }

    /** As long as nobody takes records, they are read when they are taken: a record cannot be given to another object. */
    private final class Records implements PartRecords<RecordReader<K, V>> {
        private final RecordReader<K, V> reader;
        private boolean isKnown;
        private boolean isMore = true;

        Records(RecordReader<K, V> reader) {
            this.reader = reader;
        }

        @Override
        public boolean hasNext() throws IOException {
            if (target != null && !isKnown) {
                isMore = reader.next(target.key(), target.value());
                isKnown = true;
            }
            return isMore;
        }

        @Override
        public RecordReader<K, V> next() throws IOException {
            if (target == null) {
                isMore = reader.next(reader.createKey(), reader.createValue());
            }
            isKnown = false;
            return reader;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
