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

import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.example.ExampleInputFormat;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs of a user without privileges: each gives what it gives without MPSR, or fails as it does without MPSR. */
class OrdinaryUserTest {
    private static final long SEED = 20261125;
    private static final Path ROOT = new Path("/cals/meas");
    private static final FsPermission OPEN = new FsPermission("755");
    private static final UserGroupInformation READER =
            UserGroupInformation.createUserForTesting("reader", new String[] {"readers"});

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem fs;
    private static Path partition;
    private static Path file;
    private static int outputs;

    @BeforeAll
    static void publish() throws Exception {
        cluster = TestDataset.start();
        fs = cluster.getFileSystem();
        fs.mkdirs(ROOT);
        fs.setOwner(ROOT, "owner", "readers");
        fs.setPermission(ROOT, new FsPermission("750"));
        TestDataset.create(cluster, ROOT.toString(), TestDataset.records(new Random(SEED), 600));
        partition = fs.listStatus(ROOT)[0].getPath();
        file = fs.listStatus(partition)[0].getPath();
        fs.mkdirs(new Path("/out"));
        fs.setPermission(new Path("/out"), new FsPermission("777"));
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    @AfterEach
    void giveRightsBack() throws Exception {
        fs.setPermission(partition, OPEN);
        fs.setPermission(file, OPEN);
    }

    /**
     * What came of a job.
     *
     * @param files of another group, or 0 for a job that was not redirected
     * @param denied the message of the missing permission; empty if the job was submitted
     */
    private record Ran(boolean succeeded, List<String> lines, long files, String denied) {}

    private static Ran run(boolean enabled, Path input) throws Exception {
        Configuration conf = LocalJobs.conf(cluster, enabled);
        return READER.doAs((PrivilegedExceptionAction<Ran>) () -> run(conf, input));
    }

    private static Ran run(Configuration conf, Path input) throws Exception {
        Job job = Job.getInstance(conf);
        job.setInputFormatClass(ExampleInputFormat.class);
        job.setMapperClass(Jobs.GroupMapper.class);
        job.setNumReduceTasks(0);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        FileInputFormat.addInputPath(job, input);
        ParquetInputFormat.setFilterPredicate(
                job.getConfiguration(), eq(binaryColumn("signal"), Binary.fromString("SIG3")));
        Path out = new Path("/out/" + outputs++);
        FileOutputFormat.setOutputPath(job, out);
        try {
            boolean succeeded = job.waitForCompletion(false);
            long files = job.getCounters().findCounter("MPSR", "FILES").getValue();
            return new Ran(
                    succeeded,
                    succeeded ? LocalJobs.lines(fs, out).stream().sorted().toList() : List.of(),
                    files,
                    "");
        } catch (AccessControlException e) {
            return new Ran(
                    false, List.of(), 0, e.getMessage().lines().findFirst().orElseThrow());
        }
    }

    @Test
    void aReaderGetsTheRecordsFromTheCheapestGroup() throws Exception {
        Ran stock = run(false, ROOT);
        Ran ran = run(true, ROOT);

        assertThat(stock.files()).isZero();
        assertThat(ran.files()).isPositive();
        assertThat(ran.lines()).as("seed %d", SEED).isNotEmpty().isEqualTo(stock.lines());
    }

    @Test
    void aReaderWithoutTheRightToAPartitionFailsAsWithoutMpsr() throws Exception {
        fs.setPermission(partition, new FsPermission("700"));
        Ran stock = run(false, ROOT);

        assertThat(stock.denied())
                .contains("Permission denied: user=reader", partition.toUri().getPath());
        assertThat(run(true, ROOT)).isEqualTo(stock);
        Path other = fs.listStatus(ROOT)[1].getPath();
        assertThat(run(true, other))
                .isEqualTo(run(false, other))
                .satisfies(ran -> assertThat(ran.lines()).isNotEmpty());
    }

    @Test
    void aReaderWithoutTheRightToAFileFailsAsWithoutMpsr() throws Exception {
        fs.setPermission(file, new FsPermission("600"));
        Ran stock = run(false, ROOT);

        assertThat(stock.succeeded()).isFalse();
        assertThat(run(true, ROOT)).isEqualTo(stock);
    }
}
