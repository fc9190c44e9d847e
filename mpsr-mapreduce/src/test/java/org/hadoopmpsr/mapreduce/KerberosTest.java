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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.example.ExampleInputFormat;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs on YARN with Kerberos; the dataset is for its owner and for analysts only. */
@Tag("long")
class KerberosTest {
    private static final long SEED = 20261122;
    private static final int RECORDS = 600;
    private static final String PATH = "/cals/meas";

    private static SecureCluster cluster;
    private static UserGroupInformation analyst;
    private static List<String> expected;
    private static int outputs;

    @BeforeAll
    static void start() throws Exception {
        cluster = new SecureCluster("hdfs=supergroup;ingest=ingest;analyst=analysts;guest=guests");
        DistributedFileSystem fs = cluster.hdfs().getFileSystem();
        fs.mkdirs(new Path(PATH));
        fs.setOwner(new Path(PATH), "ingest", "analysts");
        fs.setPermission(new Path(PATH), new FsPermission("750"));
        fs.mkdirs(new Path("/out"));
        fs.setPermission(new Path("/out"), new FsPermission("777"));
        TestDataset.create(cluster.hdfs(), PATH, TestDataset.records(new Random(SEED), RECORDS));
        analyst = cluster.login("analyst");
        Configuration stock = cluster.conf();
        stock.set("mapreduce.framework.name", "local");
        stock.setBoolean("mpsr.mapreduce.enabled", false);
        stock.set("hadoop.tmp.dir", System.getProperty("hadoop.tmp.dir", "target/hadoop-tmp"));
        Ran ran = run(analyst, stock);
        assertThat(ran.files()).isZero();
        expected = ran.lines();
        assertThat(expected).as("of seed %d", SEED).isNotEmpty();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    /** What a job wrote, and what its counters say; files is 0 where it was not redirected. */
    private record Ran(List<String> lines, long stockFiles, long files, long maps, long tokens, long tickets) {}

    private static Ran run(UserGroupInformation user, Configuration conf) throws Exception {
        return user.doAs((PrivilegedExceptionAction<Ran>) () -> run(conf));
    }

    private static Ran run(Configuration conf) throws Exception {
        Job job = Job.getInstance(conf);
        job.setInputFormatClass(ExampleInputFormat.class);
        job.setMapperClass(Jobs.SecureMapper.class);
        job.setNumReduceTasks(0);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        FileInputFormat.addInputPath(job, new Path(PATH));
        ParquetInputFormat.setFilterPredicate(
                job.getConfiguration(), eq(binaryColumn("signal"), Binary.fromString("SIG3")));
        Path out = new Path("/out/" + outputs++);
        FileOutputFormat.setOutputPath(job, out);
        assertThat(job.waitForCompletion(false)).as("%s", job.getStatus()).isTrue();
        return new Ran(
                LocalJobs.lines(cluster.hdfs().getFileSystem(), out).stream()
                        .sorted()
                        .toList(),
                counter(job, "MPSR", "STOCK_FILES"),
                counter(job, "MPSR", "FILES"),
                counter(job, "org.apache.hadoop.mapreduce.JobCounter", "TOTAL_LAUNCHED_MAPS"),
                counter(job, "shown", "tokens"),
                counter(job, "shown", "tickets"));
    }

    private static long counter(Job job, String group, String name) throws Exception {
        return job.getCounters().findCounter(group, name).getValue();
    }

    private static void isRedirected(Ran ran) {
        assertThat(ran.lines()).isEqualTo(expected);
        assertThat(ran.stockFiles()).isEqualTo(5);
        assertThat(ran.files()).isEqualTo(1);
        assertThat(ran.maps()).isEqualTo(1);
        assertThat(ran.tokens()).as("tokens that the task has for HDFS").isEqualTo(1);
        assertThat(ran.tickets()).as("tasks with a ticket").isZero();
    }

    @Test
    void aJobSubmittedWithATicketReadsTheCheapestGroupWithTokens() throws Exception {
        isRedirected(run(analyst, cluster.conf()));
    }

    @Test
    void delegationTokensAreEnoughToSubmitOne() throws Exception {
        UserGroupInformation bare = cluster.withTokensOnly(analyst);
        assertThat(bare.hasKerberosCredentials()).isFalse();
        Configuration conf = cluster.conf();
        conf.setBoolean("mapreduce.job.complete.cancel.delegation.tokens", false);
        conf.setBoolean("mapreduce.job.ubertask.enable", true); // in one container, which is quicker
        isRedirected(run(bare, conf));
    }

    @Test
    void whoMayNotReadTheDatasetGetsNothingFromItsGroups() throws Exception {
        UserGroupInformation guest = cluster.login("guest");
        assertThatThrownBy(() -> run(guest, cluster.conf())).hasMessageContaining("Permission denied: user=guest");
    }
}
