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

import static org.apache.parquet.filter2.predicate.FilterApi.and;
import static org.apache.parquet.filter2.predicate.FilterApi.binaryColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.doubleColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.eq;
import static org.apache.parquet.filter2.predicate.FilterApi.gtEq;
import static org.apache.parquet.filter2.predicate.FilterApi.in;
import static org.apache.parquet.filter2.predicate.FilterApi.intColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.longColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.lt;
import static org.apache.parquet.filter2.predicate.FilterApi.not;
import static org.apache.parquet.filter2.predicate.FilterApi.notEq;
import static org.apache.parquet.filter2.predicate.FilterApi.userDefined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.parquet.avro.AvroParquetInputFormat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleInputFormat;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.mapred.DeprecatedParquetInputFormat;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.testing.LostFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs of the local runner, each as without MPSR and with it: their output is the same. */
class RedirectTest {
    private static final long SEED = 20261122;
    private static final int RECORDS = 600;
    private static final String PROJECTION = "message m { required binary signal (UTF8); optional double value; }";
    private static final String NARROW = "message m { required binary signal (UTF8); optional int32 quality; }";
    private static final FilterPredicate ONE_SIGNAL = eq(binaryColumn("signal"), Binary.fromString("SIG3"));

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem fs;
    private static final Map<String, List<String>> expected = new HashMap<>();
    private static int outputs;

    @BeforeAll
    static void publish() throws Exception {
        cluster = TestDataset.start();
        fs = cluster.getFileSystem();
        TestDataset.create(cluster, "/cals/meas", TestDataset.records(new Random(SEED), RECORDS));
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    /** What a job wrote and what its counters say; files is 0 where it was not redirected. */
    private record Ran(List<String> lines, long stockFiles, long files, long leftAlone) {}

    private interface Runner {
        Ran run(Configuration conf, FilterPredicate filter, String... inputs) throws Exception;
    }

    private static Configuration conf(boolean enabled) {
        return LocalJobs.conf(cluster, enabled);
    }

    private static Ran runNew(
            Class<?> format, Class<?> mapper, Configuration conf, FilterPredicate filter, String... inputs)
            throws Exception {
        Job job = Job.getInstance(conf);
        job.setInputFormatClass(format.asSubclass(ParquetInputFormat.class));
        job.setMapperClass(mapper.asSubclass(org.apache.hadoop.mapreduce.Mapper.class));
        job.setReducerClass(Jobs.EachReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        for (String input : inputs) {
            FileInputFormat.addInputPath(job, new Path(input));
        }
        if (filter != null) {
            ParquetInputFormat.setFilterPredicate(job.getConfiguration(), filter);
        }
        Path out = new Path("/out/" + outputs++);
        FileOutputFormat.setOutputPath(job, out);
        assertThat(job.waitForCompletion(false)).isTrue();
        return new Ran(
                LocalJobs.lines(fs, out),
                job.getCounters().findCounter("MPSR", "STOCK_FILES").getValue(),
                job.getCounters().findCounter("MPSR", "FILES").getValue(),
                job.getCounters().findCounter("MPSR", "LEFT_ALONE").getValue());
    }

    private static Ran runOld(Class<?> mapper, Configuration conf, FilterPredicate filter, String... inputs)
            throws Exception {
        JobConf job = new JobConf(conf);
        job.setInputFormat(DeprecatedParquetInputFormat.class);
        ParquetInputFormat.setReadSupportClass(job, GroupReadSupport.class);
        job.setBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, true);
        job.setMapperClass(mapper.asSubclass(org.apache.hadoop.mapred.Mapper.class));
        job.setReducerClass(Jobs.OldReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        for (String input : inputs) {
            org.apache.hadoop.mapred.FileInputFormat.addInputPath(job, new Path(input));
        }
        if (filter != null) {
            ParquetInputFormat.setFilterPredicate(job, filter);
        }
        Path out = new Path("/out/" + outputs++);
        org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(job, out);
        RunningJob ran = JobClient.runJob(job);
        return new Ran(
                LocalJobs.lines(fs, out),
                ran.getCounters().findCounter("MPSR", "STOCK_FILES").getValue(),
                ran.getCounters().findCounter("MPSR", "FILES").getValue(),
                ran.getCounters().findCounter("MPSR", "LEFT_ALONE").getValue());
    }

    private static final Runner EXAMPLE =
            (conf, filter, inputs) -> runNew(ExampleInputFormat.class, Jobs.GroupMapper.class, conf, filter, inputs);
    private static final Runner AVRO =
            (conf, filter, inputs) -> runNew(AvroParquetInputFormat.class, Jobs.AvroMapper.class, conf, filter, inputs);
    private static final Runner OLD = (conf, filter, inputs) -> runOld(Jobs.OldMapper.class, conf, filter, inputs);

    private static Ran same(Runner runner, FilterPredicate filter, Map<String, String> settings, String... inputs)
            throws Exception {
        String[] given = inputs.length == 0 ? new String[] {"/cals/meas"} : inputs;
        Map<String, String> read = new TreeMap<>(settings);
        read.remove("mpsr.group");
        String key = System.identityHashCode(runner) + " " + filter + " " + read + " " + List.of(given);
        if (!expected.containsKey(key)) {
            Ran ran = runner.run(set(conf(false), settings), filter, given);
            assertThat(ran.files() + ran.leftAlone()).as("counted although off").isZero();
            expected.put(key, ran.lines());
        }
        Ran ran = runner.run(set(conf(true), settings), filter, given);
        assertThat(ran.lines()).isEqualTo(expected.get(key));
        return ran;
    }

    private static Configuration set(Configuration conf, Map<String, String> settings) {
        settings.forEach(conf::set);
        return conf;
    }

    private static void redirected(Runner runner, FilterPredicate filter, long files) throws Exception {
        Ran ran = same(runner, filter, Map.of());
        assertThat(ran.lines()).isNotEmpty();
        assertThat(ran.stockFiles()).isEqualTo(5);
        assertThat(ran.files()).isEqualTo(files);
        assertThat(ran.leftAlone()).isZero();
    }

    private static void left(Runner runner, FilterPredicate filter, Map<String, String> settings, String... inputs)
            throws Exception {
        Ran ran = same(runner, filter, settings, inputs);
        assertThat(ran.lines()).isNotEmpty();
        assertThat(ran.files()).isZero();
        assertThat(ran.leftAlone()).isEqualTo(filter == null ? 0 : 1);
    }

    /** A segment that the chosen group has lost is read from another group, also if the default group is one of both. */
    @Test
    @Tag("long")
    void segmentsThatAreLostAreReadFromOtherGroups() throws Exception {
        Random random = new Random(SEED);
        List<StagedFile> files = new ArrayList<>();
        TestDataset dataset = TestDataset.create(
                cluster,
                "/cals/lost",
                List.of(
                        TestDataset.records(random, 200),
                        TestDataset.records(random, 200),
                        TestDataset.records(random, 200)),
                files);
        for (Runner runner : List.of(EXAMPLE, AVRO, OLD)) {
            same(runner, ONE_SIGNAL, Map.of(), "/cals/lost");
        }
        FilterPredicate nothingToPrune = userDefined(intColumn("quality"), new Jobs.EvenQuality());
        left(EXAMPLE, nothingToPrune, Map.of(), "/cals/lost");
        List<String> commits =
                files.stream().map(f -> f.statistics().commitId()).distinct().toList();
        lose(dataset, files, "signal", commits.get(1));
        lose(dataset, files, "time", commits.get(0));
        for (Runner runner : List.of(EXAMPLE, AVRO, OLD)) {
            for (String group : List.of("signal", "time", "device")) {
                Ran ran = same(runner, ONE_SIGNAL, Map.of("mpsr.group", group), "/cals/lost");
                assertThat(ran.lines()).isNotEmpty();
                assertThat(ran.files()).as(group).isGreaterThan(0);
            }
        }
        assertThat(same(EXAMPLE, nothingToPrune, Map.of(), "/cals/lost").files())
                .as("with a filter that planning does not understand")
                .isGreaterThan(0);
    }

    /** All files of a commit in a group. */
    private static void lose(TestDataset dataset, List<StagedFile> files, String group, String commit)
            throws Exception {
        for (StagedFile file : files) {
            if (file.group().equals(group) && file.statistics().commitId().equals(commit)) {
                String path = dataset.path(file);
                LostFiles.lose(cluster, path);
                await().atMost(Duration.ofSeconds(30)).until(() -> LostFiles.isLost(cluster, path));
            }
        }
    }

    @Test
    void aJobReadsTheCheapestGroup() throws Exception {
        redirected(EXAMPLE, ONE_SIGNAL, 1);
        redirected(EXAMPLE, and(ONE_SIGNAL, userDefined(intColumn("quality"), new Jobs.EvenQuality())), 1);
        redirected(EXAMPLE, eq(binaryColumn("device"), Binary.fromString("DEV1")), 1);
    }

    @Test
    void theDefaultGroupIsPrunedToo() throws Exception {
        redirected(
                EXAMPLE,
                and(
                        gtEq(longColumn("timestamp_ns"), 0L),
                        lt(longColumn("timestamp_ns"), 16_001L * 86_400_000_000_000L)),
                1);
    }

    @Test
    void theOldApiReadsTheCheapestGroup() throws Exception {
        redirected(OLD, ONE_SIGNAL, 1);
        left(OLD, null, Map.of());
    }

    @Test
    void avroRecordsHaveTheSameSchema() throws Exception {
        redirected(AVRO, ONE_SIGNAL, 1);
    }

    @Test
    void nullsAreFoundAsParquetFindsThem() throws Exception {
        redirected(EXAMPLE, and(ONE_SIGNAL, not(eq(intColumn("quality"), 1))), 1);
        redirected(
                EXAMPLE,
                and(
                        notEq(intColumn("quality"), null),
                        in(binaryColumn("signal"), new HashSet<>(List.of(Binary.fromString("SIG7"))))),
                1);
    }

    @Test
    void aGlobOfAllDirectoriesIsTheDataset() throws Exception {
        assertThat(same(EXAMPLE, ONE_SIGNAL, Map.of(), "/cals/meas/day=*").files())
                .isEqualTo(1);
    }

    @Test
    void aFieldOfAStructChoosesTheGroup() throws Exception {
        WantedGroup level = new WantedGroup("device", List.of(Predicate.parse("bucket(8, pos.y)")), List.of(), null);
        TestDataset.create(cluster, "/cals/places", level, TestDataset.records(new Random(SEED), RECORDS));
        for (Runner runner : List.of(EXAMPLE, AVRO, OLD)) {
            Ran ran = same(runner, eq(intColumn("pos.y"), 3), Map.of(), "/cals/places");
            assertThat(ran.lines()).isNotEmpty();
            assertThat(ran.files())
                    .as("a bucket, and the records without a level")
                    .isEqualTo(2);
            left(runner, eq(doubleColumn("pos.x"), 0.5), Map.of(), "/cals/places");
        }
    }

    @Test
    void aProjectionIsKept() throws Exception {
        Ran ran = same(EXAMPLE, ONE_SIGNAL, Map.of(ReadSupport.PARQUET_READ_SCHEMA, PROJECTION));
        assertThat(ran.files()).isEqualTo(1);
        assertThat(ran.lines().get(0)).doesNotContain("device");
    }

    /** A job without a projection sees of each file of the default group which columns it has. */
    @Tag("long")
    @Test
    void filesOfSeveralSchemasAreReadForJobsThatNameTheirColumns() throws Exception {
        TestDataset.create(cluster, "/cals/mixed", TestDataset.records(new Random(SEED), 100));
        try (MpsrClient client = MpsrClient.create(cluster.getConfiguration(0), cluster.getURI())) {
            client.alterations().addColumn("/cals/mixed", null, "extra double");
        }
        for (Runner runner : List.of(EXAMPLE, AVRO, OLD)) {
            left(runner, ONE_SIGNAL, Map.of(), "/cals/mixed");
        }
        for (Runner runner : List.of(EXAMPLE, OLD)) {
            Map<String, String> projection = Map.of(ReadSupport.PARQUET_READ_SCHEMA, PROJECTION);
            assertThat(same(runner, ONE_SIGNAL, projection, "/cals/mixed").files())
                    .isEqualTo(1);
        }
        left(EXAMPLE, ONE_SIGNAL, Map.of(ReadSupport.PARQUET_READ_SCHEMA, NARROW), "/cals/mixed");
    }

    @Test
    void aJobThatFindsNothingKeepsOneMap() throws Exception {
        Ran ran = same(EXAMPLE, eq(binaryColumn("signal"), Binary.fromString("NONE")), Map.of());
        assertThat(ran.lines()).isEmpty();
        assertThat(ran.files()).isEqualTo(1);
    }

    @Test
    void theUserNamesTheGroup() throws Exception {
        Ran ran = same(EXAMPLE, ONE_SIGNAL, Map.of("mpsr.group", "device"));
        assertThat(ran.files()).isEqualTo(3);
        ran = same(EXAMPLE, ONE_SIGNAL, Map.of("mpsr.group", "nonesuch"));
        assertThat(ran.files()).isEqualTo(1);
    }

    @Test
    void otherInputStaysBesideADataset() throws Exception {
        Path other = new Path(cluster.getURI() + "/other/a.parquet");
        List<Column> columns = TestDataset.SCHEMA.columns();
        TestDataset.write(other, conf(false), columns, TestDataset.records(new Random(1), 50), Map.of());
        Ran ran = same(
                EXAMPLE,
                ONE_SIGNAL,
                Map.of(ReadSupport.PARQUET_READ_SCHEMA, PROJECTION),
                "/cals/meas",
                "/other",
                "/other");
        assertThat(ran.stockFiles()).isEqualTo(6);
        assertThat(ran.files()).isEqualTo(2);
        // a projection for one of the inputs would be one for both
        left(EXAMPLE, ONE_SIGNAL, Map.of(), "/cals/meas", "/other");
    }

    @Tag("long")
    @Test
    void whatIsNotUnderstoodStays() throws Exception {
        left(EXAMPLE, null, Map.of());
        left(EXAMPLE, userDefined(intColumn("quality"), new Jobs.EvenQuality()), Map.of());
        left(EXAMPLE, ONE_SIGNAL, Map.of(), "/cals/meas/day=2013-10-2[345]");
        left(EXAMPLE, ONE_SIGNAL, Map.of(), "/cals/meas", "/cals/meas/day=2013-10-23");
        left(EXAMPLE, ONE_SIGNAL, Map.of(ParquetInputFormat.RECORD_FILTERING_ENABLED, "false"));
        left(EXAMPLE, ONE_SIGNAL, Map.of(ParquetInputFormat.TASK_SIDE_METADATA, "false"));
        // a column that the default group's files do not have is null there
        left(EXAMPLE, notEq(intColumn("day"), 16_000), Map.of());
    }

    @Test
    void aMapperThatAsksForFilesStays() throws Exception {
        left(
                (conf, filter, inputs) -> runNew(ExampleInputFormat.class, Jobs.FileMapper.class, conf, filter, inputs),
                ONE_SIGNAL,
                Map.of());
        left((conf, filter, inputs) -> runOld(Jobs.OldFileMapper.class, conf, filter, inputs), ONE_SIGNAL, Map.of());
    }

    @Test
    void aDatasetWithFilesOfOthersStays() throws Exception {
        TestDataset.create(cluster, "/cals/other", TestDataset.records(new Random(SEED + 1), 100));
        Ran before = same(EXAMPLE, ONE_SIGNAL, Map.of(), "/cals/other");
        assertThat(before.files()).isEqualTo(1);
        TestDataset.write(
                new Path(cluster.getURI() + "/cals/other/day=2013-10-23/foreign.parquet"),
                conf(false),
                TestDataset.SCHEMA.columns(),
                TestDataset.records(new Random(2), 50),
                Map.of());
        expected.clear();
        left(EXAMPLE, ONE_SIGNAL, Map.of(), "/cals/other");
    }
}
