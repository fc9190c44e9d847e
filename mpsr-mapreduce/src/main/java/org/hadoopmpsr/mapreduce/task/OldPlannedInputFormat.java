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
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * Reads with the job's own input format of the old API. Parts of planned files that cannot be read come from another group;
 * all other splits are read as without MPSR.
 */
public final class OldPlannedInputFormat<K, V> implements InputFormat<K, V> {
    /** Hadoop makes it. */
    public OldPlannedInputFormat() {}

    @SuppressWarnings("unchecked")
    private InputFormat<K, V> ofJob(JobConf conf) throws IOException {
        return (InputFormat<K, V>) PartReaders.ofJob(conf, InputFormat.class);
    }

    @Override
    public InputSplit[] getSplits(JobConf conf, int splits) throws IOException {
        return ofJob(conf).getSplits(conf, splits);
    }

    @Override
    public RecordReader<K, V> getRecordReader(InputSplit split, JobConf conf, Reporter reporter) throws IOException {
        InputFormat<K, V> format = ofJob(conf);
        PartReaders readers = split instanceof OldPlannedSplit ? PartReaders.ofThisProcess() : null;
        return readers == null
                ? format.getRecordReader(split, conf, reporter)
                : readers.oldReader(format, (OldPlannedSplit) split, conf, reporter);
    }
}
