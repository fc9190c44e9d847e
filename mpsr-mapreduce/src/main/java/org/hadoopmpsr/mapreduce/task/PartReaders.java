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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/** Makes record readers for parts of planned files, which fall back on other groups. */
public interface PartReaders {
    /** A reader of the new API. */
    <K, V> RecordReader<K, V> reader(InputFormat<K, V> format, PlannedSplit split);

    /**
     * A reader of the old API, which is open.
     *
     * @throws IOException if the part can be read in no way
     */
    <K, V> org.apache.hadoop.mapred.RecordReader<K, V> oldReader(
            org.apache.hadoop.mapred.InputFormat<K, V> format, OldPlannedSplit split, JobConf conf, Reporter reporter)
            throws IOException;

    /** The one of this process; null if it runs on an older Java than the rest of MPSR needs. */
    static @Nullable PartReaders ofThisProcess() {
        if (System.getProperty("java.specification.version", "1.").matches("1\\..*|9|10")) {
            return null;
        }
        try {
            return Class.forName("org.hadoopmpsr.mapreduce.degraded.DegradedReaders")
                    .asSubclass(PartReaders.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the jar of MPSR is not whole", e);
        }
    }

    /**
     * Makes the job's own input format.
     *
     * @param type of the API
     */
    static <T> T ofJob(Configuration conf, Class<T> type) throws IOException {
        try {
            return type.cast(
                    ReflectionUtils.newInstance(conf.getClassByName(conf.get(PlannedInputFormat.OF_JOB)), conf));
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
