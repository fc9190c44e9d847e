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
package org.hadoopmpsr.mapreduce.task;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Reads with the job's own input format of the new API. Parts of planned files that cannot be read come from another group;
 * all other splits are read as without MPSR.
 */
public final class PlannedInputFormat<K, V> extends InputFormat<K, V> {
    /** Names the job's own input format, of either API, in the configuration. */
    public static final String OF_JOB = "mpsr.mapreduce.inputformat.class";

    /** Hadoop makes it. */
    public PlannedInputFormat() {}

    @SuppressWarnings("unchecked")
    private InputFormat<K, V> ofJob(Configuration conf) throws IOException {
        return (InputFormat<K, V>) PartReaders.ofJob(conf, InputFormat.class);
    }

    @Override
    public List<InputSplit> getSplits(JobContext context) throws IOException, InterruptedException {
        return ofJob(context.getConfiguration()).getSplits(context);
    }

    @Override
    public RecordReader<K, V> createRecordReader(InputSplit split, TaskAttemptContext context)
            throws IOException, InterruptedException {
        InputFormat<K, V> format = ofJob(context.getConfiguration());
        PartReaders readers = split instanceof PlannedSplit ? PartReaders.ofThisProcess() : null;
        return readers == null
                ? format.createRecordReader(split, context)
                : readers.reader(format, (PlannedSplit) split);
    }
}
