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
package org.hadoopmpsr.benchmarks.mapreduce;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.Mapper;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.mapred.Container;
import org.apache.parquet.hadoop.mapred.DeprecatedParquetInputFormat;
import org.apache.parquet.io.api.Binary;

/** {@link SignalReport} in the old API. */
public final class OldSignalReport extends Configured implements Tool {

    /** A record's device and value; records without value are left out. */
    public static final class Measurements extends MapReduceBase
            implements Mapper<Void, Container<Group>, Text, DoubleWritable> {
        @Override
        public void map(Void key, Container<Group> record, OutputCollector<Text, DoubleWritable> out, Reporter reporter)
                throws IOException {
            Group group = record.get();
            if (group.getFieldRepetitionCount("value") > 0) {
                out.collect(new Text(group.getString("device", 0)), new DoubleWritable(group.getDouble("value", 0)));
            }
        }
    }

    /** A line for each device. */
    public static final class Summary extends MapReduceBase implements Reducer<Text, DoubleWritable, Text, Text> {
        @Override
        public void reduce(
                Text device, Iterator<DoubleWritable> values, OutputCollector<Text, Text> out, Reporter reporter)
                throws IOException {
            ValueRange range = new ValueRange();
            while (values.hasNext()) {
                range.add(values.next().get());
            }
            out.collect(device, range.text());
        }
    }

    @Override
    public int run(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            System.err.println("usage: OldSignalReport INPUT OUTPUT SIGNAL");
            return 2;
        }
        JobConf job = new JobConf(getConf(), OldSignalReport.class);
        job.setJobName("report of " + arguments[2]);
        job.setInputFormat(DeprecatedParquetInputFormat.class);
        job.setBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, true);
        ParquetInputFormat.setReadSupportClass(job, GroupReadSupport.class);
        ParquetInputFormat.setFilterPredicate(
                job, FilterApi.eq(FilterApi.binaryColumn("signal"), Binary.fromString(arguments[2])));
        FileInputFormat.addInputPath(job, new Path(arguments[0]));
        FileOutputFormat.setOutputPath(job, new Path(arguments[1]));
        job.setMapperClass(Measurements.class);
        job.setReducerClass(Summary.class);
        job.setMapOutputValueClass(DoubleWritable.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(Text.class);
        return JobClient.runJob(job).isSuccessful() ? 0 : 1;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new Configuration(), new OldSignalReport(), arguments));
    }
}
