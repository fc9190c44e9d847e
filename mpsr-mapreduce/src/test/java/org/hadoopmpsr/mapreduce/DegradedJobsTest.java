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

import static org.apache.parquet.filter2.predicate.FilterApi.binaryColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.parquet.avro.AvroParquetInputFormat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.example.ExampleInputFormat;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.mapred.DeprecatedParquetInputFormat;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.testing.LostFiles;
import org.hadoopmpsr.testing.MiniCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are lost after a job was submitted: the job writes what it writes without MPSR on sound files. */
class DegradedJobsTest {
    private static final long SEED = Long.getLong("mpsr.test.seed", System.nanoTime());
    private static final Random RANDOM = new Random(SEED);
    private static final FilterPredicate ONE_SIGNAL = eq(binaryColumn("signal"), Binary.fromString("SIG3"));
    private static final List<String> GROUPS = List.of("time", "signal", "device");

    private static MiniDFSCluster cluster;
    private static Loss loss = () -> {};
    private static int outputs;

    /** What happens between the submission of a job and its maps. */
    private interface Loss {
        void happens() throws IOException;
    }

    /** The API and the input format of a job. */
    enum Form {
        EXAMPLE,
        AVRO,
        OLD
    }

    private record Ran(boolean succeeded, List<String> lines, long files, long degraded) {}

    @BeforeAll
    static void start() throws Exception {
        System.out.println("losses of seed " + SEED + " (-Dmpsr.test.seed)");
        Configuration conf = MiniCluster.stock();
        conf.setInt("dfs.client.retry.window.base", 10); // stock waits seconds before it asks again for a block
        cluster = TestDataset.start(conf);
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    /** Loses files when the job is set up, which is after its submission. */
    static class LosingOutput extends TextOutputFormat<Text, NullWritable> {
        @Override
        public synchronized OutputCommitter getOutputCommitter(TaskAttemptContext context) throws IOException {
            return new FileOutputCommitter(getOutputPath(context), context) {
                @Override
                public void setupJob(JobContext job) throws IOException {
                    super.setupJob(job);
                    loss.happens();
                }
            };
        }
    }

    static class OldLosingCommitter extends org.apache.hadoop.mapred.FileOutputCommitter {
        @Override
        public void setupJob(org.apache.hadoop.mapred.JobContext job) throws IOException {
            super.setupJob(job);
            loss.happens();
        }
    }

    private static Ran run(Form form, String input, Map<String, String> settings) throws Exception {
        Configuration conf = LocalJobs.conf(cluster, true);
        conf.setInt("dfs.client.retry.window.base", 10);
        settings.forEach(conf::set);
        Path out = new Path("/out/" + outputs++);
        Job job;
        if (form == Form.OLD) {
            JobConf old = new JobConf(conf);
            old.setInputFormat(DeprecatedParquetInputFormat.class);
            ParquetInputFormat.setReadSupportClass(old, GroupReadSupport.class);
            old.setBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, true);
            old.setMapperClass(Jobs.OldMapper.class);
            old.setReducerClass(Jobs.OldReducer.class);
            old.setOutputCommitter(OldLosingCommitter.class);
            old.setOutputKeyClass(Text.class);
            old.setOutputValueClass(NullWritable.class);
            org.apache.hadoop.mapred.FileInputFormat.addInputPath(old, new Path(input));
            org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(old, out);
            job = Job.getInstance(old);
        } else {
            job = Job.getInstance(conf);
            job.setInputFormatClass(form == Form.AVRO ? AvroParquetInputFormat.class : ExampleInputFormat.class);
            job.setMapperClass(form == Form.AVRO ? Jobs.AvroMapper.class : Jobs.GroupMapper.class);
            job.setReducerClass(Jobs.EachReducer.class);
            job.setOutputFormatClass(LosingOutput.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(NullWritable.class);
            FileInputFormat.addInputPath(job, new Path(input));
            FileOutputFormat.setOutputPath(job, out);
        }
        ParquetInputFormat.setFilterPredicate(job.getConfiguration(), ONE_SIGNAL);
        boolean succeeded = job.waitForCompletion(false);
        return new Ran(
                succeeded,
                succeeded ? LocalJobs.lines(cluster.getFileSystem(), out) : List.of(),
                job.getCounters().findCounter("MPSR", "FILES").getValue(),
                job.getCounters().findCounter("MPSR", "DEGRADED_READS").getValue());
    }

    /** A dataset of two commits, and what a job writes of it without MPSR. */
    private static final class Published {
        private final List<StagedFile> files = new ArrayList<>();
        private final String path = "/cals/lost" + outputs;
        private final TestDataset dataset;
        private final List<String> expected;

        Published(Form form) throws Exception {
            dataset = TestDataset.create(
                    cluster, path, List.of(TestDataset.records(RANDOM, 200), TestDataset.records(RANDOM, 200)), files);
            loss = () -> {};
            expected =
                    run(form, path, Map.of("mpsr.mapreduce.enabled", "false")).lines();
            assertThat(expected).isNotEmpty();
        }

        List<String> of(String group) {
            return files.stream()
                    .filter(file -> file.group().equals(group))
                    .map(dataset::path)
                    .toList();
        }

        Ran ran(Form form, String group, Map<String, String> settings, Loss its) throws Exception {
            loss = its;
            Map<String, String> all = new HashMap<>(settings);
            all.put("mpsr.group", group);
            return run(form, path, all);
        }

        void check(Ran ran, String group) {
            assertThat(ran.lines()).as("seed %d, group %s", SEED, group).isEqualTo(expected);
            assertThat(ran.files()).isPositive();
            assertThat(ran.degraded()).as("seed %d, group %s", SEED, group).isEqualTo(ran.files());
        }
    }

    private static void lose(List<String> paths) throws IOException {
        for (String path : paths) {
            LostFiles.lose(cluster, path);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            for (String path : paths) {
                if (!LostFiles.isLost(cluster, path)) {
                    return false;
                }
            }
            return true;
        });
    }

    private static void corrupt(List<String> paths) throws IOException {
        for (String path : paths) {
            ExtendedBlock block = DFSTestUtil.getFirstBlock(cluster.getFileSystem(), new Path(path));
            assertThat(cluster.corruptBlockOnDataNodes(block)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void blocksThatAreGone(Form form) throws Exception {
        String group = GROUPS.get(Math.floorMod(SEED + form.ordinal(), 3));
        Published published = new Published(form);
        published.check(published.ran(form, group, Map.of(), () -> lose(published.of(group))), group);
    }

    @Test
    void blocksThatAreCorruptAndASecondGroupThatIsLost() throws Exception {
        Form form = Form.values()[RANDOM.nextInt(3)];
        String group = GROUPS.get(RANDOM.nextInt(3));
        String second = GROUPS.get((GROUPS.indexOf(group) + 1 + RANDOM.nextInt(2)) % 3);
        Published published = new Published(form);
        Ran ran = published.ran(form, group, Map.of(), () -> {
            corrupt(published.of(group));
            lose(published.of(second));
        });
        published.check(ran, group);
    }

    @Tag("long")
    @Test
    void aDataNodeThatDiesUnderAJob() throws Exception {
        String group = GROUPS.get(RANDOM.nextInt(3));
        Published published = new Published(Form.EXAMPLE);
        Path file = new Path(published.of(group).get(0));
        String host =
                cluster.getFileSystem().getFileBlockLocations(file, 0, 1)[0].getNames()[0];
        List<DataNodeProperties> died = new ArrayList<>();
        try {
            Ran ran = published.ran(Form.EXAMPLE, group, Map.of(), () -> died.add(cluster.stopDataNode(host)));
            assertThat(ran.lines()).as("seed %d, group %s", SEED, group).isEqualTo(published.expected);
            assertThat(ran.degraded()).isPositive();
        } finally {
            for (@Nullable DataNodeProperties node : died) {
                assertThat(cluster.restartDataNode(node, true)).isTrue();
            }
            cluster.waitActive();
        }
    }

    @Tag("long")
    @Test
    void whatNoGroupHasFailsAsOnStock() throws Exception {
        Published published = new Published(Form.EXAMPLE);
        Ran ran = published.ran(Form.EXAMPLE, "signal", Map.of(), () -> {
            for (String group : GROUPS) {
                lose(published.of(group));
            }
        });
        assertThat(ran.succeeded()).isFalse();
        assertThat(ran.degraded()).isZero();
    }

    @Test
    void withoutDegradedReadsAJobFailsAsOnStock() throws Exception {
        Published published = new Published(Form.EXAMPLE);
        Map<String, String> off = Map.of("mpsr.degraded", "false");
        Ran ran = published.ran(Form.EXAMPLE, "signal", off, () -> lose(published.of("signal")));
        assertThat(ran.succeeded()).isFalse();
    }
}
