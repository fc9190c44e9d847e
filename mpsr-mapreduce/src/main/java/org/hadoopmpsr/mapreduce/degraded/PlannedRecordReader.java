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
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.hadoopmpsr.client.degraded.PartReader;
import org.hadoopmpsr.client.degraded.PartRecords;
import org.hadoopmpsr.mapreduce.task.PlannedSplit;
import org.jspecify.annotations.Nullable;

/** Reads a part of a planned file in the new API. For one thread. */
final class PlannedRecordReader<K, V> extends RecordReader<K, V> {
    private final InputFormat<K, V> format;
    private final PlannedSplit split;
    private @Nullable PartReader<RecordReader<K, V>> part;
    private @Nullable RecordReader<K, V> current;

    PlannedRecordReader(InputFormat<K, V> format, PlannedSplit split) {
        this.format = format;
        this.split = split;
    }

    @Override
    public void initialize(InputSplit same, TaskAttemptContext context) throws IOException, InterruptedException {
        PartReader<RecordReader<K, V>> reader = new Reads(context).reader();
        part = reader;
        try {
            reader.begin();
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw TaskReads.thrown(e);
        }
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
        try {
            if (part == null || !part.hasNext()) {
                return false;
            }
            current = part.next();
            return true;
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw TaskReads.thrown(e);
        }
    }

    @Override
    public @Nullable K getCurrentKey() throws IOException, InterruptedException {
        return current == null ? null : current.getCurrentKey();
    }

    @Override
    public @Nullable V getCurrentValue() throws IOException, InterruptedException {
        return current == null ? null : current.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException, InterruptedException {
        return current == null ? 0 : current.getProgress();
    }

    @Override
    public void close() throws IOException {
        if (part != null) {
            part.close();
        }
    }

    private final class Reads extends TaskReads<RecordReader<K, V>> {
        private final TaskAttemptContext context;

        Reads(TaskAttemptContext context) {
            super(
                    context.getConfiguration(),
                    new PlannedPart(split.getPath(), split.getStart(), split.getLength(), split.planned()));
            this.context = context;
        }

        @Override
        PartRecords<RecordReader<K, V>> open(Path file, long start, long length) throws Exception {
            FileSplit its = new FileSplit(file, start, length, split.getLocations());
            RecordReader<K, V> reader = format.createRecordReader(its, context);
            try {
                reader.initialize(its, context);
            } catch (Exception e) {
                reader.close();
                throw e;
            }
            return new Records<>(reader);
        }

        @Override
        void count() {
            context.getCounter(COUNTERS, DEGRADED_READS).increment(1);
        }
    }

    private static final class Records<K, V> implements PartRecords<RecordReader<K, V>> {
        private final RecordReader<K, V> reader;
        private boolean isKnown;
        private boolean isMore;

        Records(RecordReader<K, V> reader) {
            this.reader = reader;
        }

        @Override
        public boolean hasNext() throws Exception {
            if (!isKnown) {
                isMore = reader.nextKeyValue();
                isKnown = true;
            }
            return isMore;
        }

        @Override
        public RecordReader<K, V> next() {
            isKnown = false;
            return reader;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
