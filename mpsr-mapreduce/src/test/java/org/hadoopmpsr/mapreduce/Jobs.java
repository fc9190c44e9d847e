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
package org.hadoopmpsr.mapreduce;

import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.predicate.Statistics;
import org.apache.parquet.filter2.predicate.UserDefinedPredicate;
import org.apache.parquet.hadoop.mapred.Container;

/** Parts of jobs as users write them: each writes all of its records as text, sorted by the shuffle. */
final class Jobs {
    private Jobs() {}

    private static Text text(Object record) {
        return new Text(record.toString().replace('\n', ' '));
    }

    static class GroupMapper extends Mapper<Void, Group, Text, NullWritable> {
        @Override
        protected void map(Void key, Group record, Context context) throws IOException, InterruptedException {
            context.write(text(record), NullWritable.get());
        }
    }

    /** Counts what its task has to show to HDFS. */
    static class SecureMapper extends GroupMapper {
        @Override
        protected void setup(Context context) throws IOException {
            UserGroupInformation user = UserGroupInformation.getCurrentUser();
            long tokens = user.getTokens().stream()
                    .filter(t -> t.getKind().equals(DelegationTokenIdentifier.HDFS_DELEGATION_KIND))
                    .count();
            context.getCounter("shown", "tokens").increment(tokens);
            boolean ticket = user.hasKerberosCredentials()
                    || UserGroupInformation.getLoginUser().hasKerberosCredentials();
            context.getCounter("shown", "tickets").increment(ticket ? 1 : 0);
        }
    }

    static class AvroMapper extends Mapper<Void, GenericRecord, Text, NullWritable> {
        @Override
        protected void map(Void key, GenericRecord record, Context context) throws IOException, InterruptedException {
            context.write(new Text(record.getSchema() + " " + record), NullWritable.get());
        }
    }

    /** Asks which file its records come from, by another class. */
    static class FileMapper extends GroupMapper {
        @Override
        protected void map(Void key, Group record, Context context) throws IOException, InterruptedException {
            context.write(new Text(Asks.directory(context) + text(record)), NullWritable.get());
        }
    }

    static final class Asks {
        private Asks() {}

        static String directory(Mapper<?, ?, ?, ?>.Context context) {
            return ((FileSplit) context.getInputSplit()).getPath().getParent().getName();
        }
    }

    /** Keeps equal records. */
    static class EachReducer extends Reducer<Text, NullWritable, Text, NullWritable> {
        @Override
        protected void reduce(Text key, Iterable<NullWritable> values, Context context)
                throws IOException, InterruptedException {
            for (NullWritable value : values) {
                context.write(key, value);
            }
        }
    }

    static class OldMapper extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<Void, Container<Group>, Text, NullWritable> {
        @Override
        public void map(Void key, Container<Group> record, OutputCollector<Text, NullWritable> out, Reporter reporter)
                throws IOException {
            out.collect(text(record.get()), NullWritable.get());
        }
    }

    static class OldFileMapper extends OldMapper {
        private String file = "";

        @Override
        public void configure(JobConf conf) {
            file = conf.get("mapreduce.map.input.file");
        }

        @Override
        public void map(Void key, Container<Group> record, OutputCollector<Text, NullWritable> out, Reporter reporter)
                throws IOException {
            out.collect(new Text(file + text(record.get())), NullWritable.get());
        }
    }

    static class OldReducer extends MapReduceBase
            implements org.apache.hadoop.mapred.Reducer<Text, NullWritable, Text, NullWritable> {
        @Override
        public void reduce(
                Text key, Iterator<NullWritable> values, OutputCollector<Text, NullWritable> out, Reporter reporter)
                throws IOException {
            while (values.hasNext()) {
                out.collect(key, values.next());
            }
        }
    }

    /** A filter that nobody can look into. */
    static class EvenQuality extends UserDefinedPredicate<Integer> implements Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public boolean keep(Integer value) {
            return value != null && value % 2 == 0;
        }

        @Override
        public boolean canDrop(Statistics<Integer> statistics) {
            return false;
        }

        @Override
        public boolean inverseCanDrop(Statistics<Integer> statistics) {
            return false;
        }
    }
}
