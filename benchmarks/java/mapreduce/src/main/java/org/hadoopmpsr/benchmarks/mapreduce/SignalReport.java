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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.example.ExampleInputFormat;
import org.apache.parquet.io.api.Binary;

/** Number, minimum and maximum of one signal's values for each device. Arguments: input, output, signal. */
public final class SignalReport extends Configured implements Tool {

    /** A record's device and value; records without value are left out. */
    public static final class Measurements extends Mapper<Void, Group, Text, DoubleWritable> {
        @Override
        protected void map(Void key, Group record, Context context) throws IOException, InterruptedException {
            if (record.getFieldRepetitionCount("value") > 0) {
                context.write(
                        new Text(record.getString("device", 0)), new DoubleWritable(record.getDouble("value", 0)));
            }
        }
    }

    /** A line for each device. */
    public static final class Summary extends Reducer<Text, DoubleWritable, Text, Text> {
        @Override
        protected void reduce(Text device, Iterable<DoubleWritable> values, Context context)
                throws IOException, InterruptedException {
            ValueRange range = new ValueRange();
            for (DoubleWritable value : values) {
                range.add(value.get());
            }
            context.write(device, range.text());
        }
    }

    @Override
    public int run(String[] arguments) throws IOException, InterruptedException, ClassNotFoundException {
        if (arguments.length != 3) {
            System.err.println("usage: SignalReport INPUT OUTPUT SIGNAL");
            return 2;
        }
        Job job = Job.getInstance(getConf(), "report of " + arguments[2]);
        job.setJarByClass(SignalReport.class);
        job.setInputFormatClass(ExampleInputFormat.class);
        ParquetInputFormat.setFilterPredicate(
                job.getConfiguration(),
                FilterApi.eq(FilterApi.binaryColumn("signal"), Binary.fromString(arguments[2])));
        FileInputFormat.addInputPath(job, new Path(arguments[0]));
        FileOutputFormat.setOutputPath(job, new Path(arguments[1]));
        job.setMapperClass(Measurements.class);
        job.setReducerClass(Summary.class);
        job.setMapOutputValueClass(DoubleWritable.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(Text.class);
        return job.waitForCompletion(true) ? 0 : 1;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new Configuration(), new SignalReport(), arguments));
    }
}
