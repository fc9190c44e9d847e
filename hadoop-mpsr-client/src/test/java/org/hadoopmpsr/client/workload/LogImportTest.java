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
package org.hadoopmpsr.client.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.hadoopmpsr.core.workload.QueryClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogImportTest {
    @TempDir
    private Path directory;

    private static String open(String time, String user, String path, String context) {
        return "2026-11-28 " + time + " INFO FSNamesystem.audit: allowed=true\tugi=" + user
                + " (auth:SIMPLE)\tip=/10.0.0.1\tcmd=open\tsrc=" + path + "\tdst=null\tperm=null\tproto=rpc"
                + (context.isEmpty() ? "" : "\tcallerContext=" + context);
    }

    private List<QueryClass> audit(String... lines) throws Exception {
        Files.write(directory.resolve("hdfs-audit.log"), List.of(lines));
        ImportedWorkload workload = new ImportedWorkload("/cals");
        AuditLogImport.read(List.of(directory.toString()), workload);
        WorkloadReport report = workload.report();
        assertThat(report.datasets()).extracting(WorkloadReport.OfDataset::path).containsExactly("/cals/meas");
        return report.datasets().get(0).classes();
    }

    @Test
    void opensThatFollowEachOtherAreOneQuery() throws Exception {
        List<QueryClass> classes = audit(
                open("10:00:00,000", "ann", "/cals/meas/day=2014-05-01/a.parquet", ""),
                open("10:00:01,000", "bob", "/cals/meas/day=2014-05-03/a.parquet", ""),
                open("10:00:02,000", "ann", "/cals/meas/day=2014-05-02/a.parquet", ""),
                open("10:00:02,000", "ann", "/other/day=2014-05-02/a.parquet", ""),
                open("10:05:00,000", "ann", "/cals/meas/day=2014-05-02/b.parquet", ""),
                "2026-11-28 10:05:00,000 INFO FSNamesystem.audit: allowed=false\tugi=eve\tip=/1\tcmd=open\tsrc=/cals/meas/x\tdst=null",
                "nothing that is known, cmd=opens");
        assertThat(classes)
                .extracting(c -> c.shape().conditions() + ": " + c.tally().queries())
                .containsExactly("day = 1 value: 2", "day in up to 10 values: 1");
        assertThat(classes.get(1).tally().planned().files()).isEqualTo(2);
    }

    @Test
    void whoOpensAllAsksForEverythingAndJobsAreToldApart() throws Exception {
        String job = "SPARK_TASK_application_1_1_JId_%d_SId_0_0_TId_0_0";
        List<QueryClass> classes = audit(
                open("10:00:00,000", "ann", "/cals/meas/day=1/s=x/a", job.formatted(1)),
                open("10:00:00,100", "ann", "/cals/meas/day=2/s=x/a", job.formatted(2)),
                open("10:00:00,200", "ann", "/cals/meas/day=1/s=y/a", job.formatted(1)));
        assertThat(classes)
                .extracting(c -> c.shape().conditions())
                .containsExactlyInAnyOrder("day = 1 value", "day = 1 value and s = 1 value");
    }

    private static final String START = """
            {"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":%d,"time":1000,\
            "sparkPlanInfo":{"nodeName":"Project","children":[{"nodeName":"Scan parquet ","children":[],"metadata":{\
            "Location":"InMemoryFileIndex(1 paths)[hdfs://nn:8020/cals/meas]","ReadSchema":"struct<value:double,s:struct<a:int>>",\
            "PartitionFilters":"[isnotnull(day#7), (day#7 >= 2014-05-01), (day#7 < %s)]","PushedFilters":"%s"},\
            "metrics":[{"name":"number of files read","accumulatorId":5},{"name":"size of files read","accumulatorId":6}]}]}}""";

    @Test
    void scansOfSparkAreCounted() throws Exception {
        Path log = directory.resolve("app-1.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(log))) {
            String lines = START.formatted(1, "2014-05-11", "[IsNotNull(signal), In(signal, [a,b,c])]")
                    + "\n{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates\",\"executionId\":1,"
                    + "\"accumUpdates\":[[5,12],[6,3400]]}\n"
                    + "{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd\",\"executionId\":1,\"time\":1250}\n"
                    + START.formatted(2, "2014-05-02", "[Or(EqualTo(x,1),LessThan(y,2))]")
                    + "\n{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart\", cut";
            out.write(lines.getBytes(StandardCharsets.UTF_8));
        }
        ImportedWorkload workload = new ImportedWorkload("/");
        SparkLogImport.read(List.of(log.toString()), workload);
        List<QueryClass> classes = workload.report().datasets().get(0).classes();
        assertThat(workload.summary()).isEqualTo("5 lines, 1 of them unreadable; 2 queries of 1 directories");
        assertThat(classes)
                .extracting(c -> c.shape().conditions())
                .containsExactlyInAnyOrder(
                        "day in over 1/10 of its range and signal in up to 10 values",
                        "day in up to 1/10 of its range and another condition on x, y");
        assertThat(classes.stream().filter(c -> c.tally().reports() == 1))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.tally().reportedMs()).isEqualTo(250);
                    assertThat(c.tally().planned().files()).isEqualTo(12);
                    assertThat(c.tally().planned().bytes()).isEqualTo(3_400);
                    assertThat(c.shape().columns()).containsExactly("day", "s", "signal", "value");
                });
    }

    @Test
    void aMissingLogIsNamed() {
        assertThatThrownBy(() -> SparkLogImport.read(List.of("/no/such"), new ImportedWorkload("/")))
                .hasMessageContaining("no local file '/no/such'");
    }
}
