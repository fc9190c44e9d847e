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
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.RecordReader;
import org.hadoopmpsr.mapreduce.task.OldPlannedSplit;
import org.hadoopmpsr.mapreduce.task.PartReaders;
import org.hadoopmpsr.mapreduce.task.PlannedSplit;

/** Makes the readers of both APIs. */
public final class DegradedReaders implements PartReaders {

    /** Made by its name. */
    public DegradedReaders() {}

    @Override
    public <K, V> RecordReader<K, V> reader(InputFormat<K, V> format, PlannedSplit split) {
        return new PlannedRecordReader<>(format, split);
    }

    @Override
    public <K, V> org.apache.hadoop.mapred.RecordReader<K, V> oldReader(
            org.apache.hadoop.mapred.InputFormat<K, V> format, OldPlannedSplit split, JobConf conf, Reporter reporter)
            throws IOException {
        return new OldPlannedRecordReader<>(format, split, conf, reporter);
    }
}
