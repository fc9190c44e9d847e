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
package org.hadoopmpsr.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.ipc.RemoteException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.proto.MpsrProtos.CounterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRedundancyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DroppedProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeMoveProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RedundancyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = MpsrCommand.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : List.of(
                "",
                "groups",
                "groups rebalance",
                "groups forget",
                "assign",
                "calibrate",
                "status",
                "dataset",
                "dataset create",
                "dataset list",
                "dataset show",
                "dataset check",
                "dataset offsets",
                "dataset drop")) {
            String[] args = (command + " --help").trim().split(" ");
            assertThat(run(args)).as(command).isZero();
        }
        assertThat(out.toString()).contains("Usage: mpsr dataset create", "--schema", "--json");
    }

    @Test
    void aWrongCommandLineIsTwo() {
        assertThat(run("dataset", "create", "/x")).isEqualTo(2);
        assertThat(err.toString()).contains("Missing required option: '--schema=COLUMNS'");
    }

    @Test
    void aResetThatNamesNoOffsetIsAWrongCommandLine() {
        for (String reset : List.of("t", "t=", "=5", "t=x", "t:=5", "t:x=5", "t:0=-1", "t:-1=5", ":0=5")) {
            assertThat(run("dataset", "offsets", "/x", "--reset", reset))
                    .as(reset)
                    .isEqualTo(2);
        }
        assertThat(err.toString()).contains("--reset takes TOPIC:PARTITION=OFFSET or TOPIC=OFFSET, not 't:x=5'");
    }

    @Test
    void offsetsAreShownWithWhatCommitsPassedOver() {
        Dataset dataset = new Dataset(
                "/d",
                "id",
                Schema.parse("a string"),
                new ReplicaGroups(List.of(), "time"),
                List.of(),
                List.of(new CommittedOffset("t", 0, 9, "c1", "topic"), new CommittedOffset("u=v", 3, 7, "c2")),
                List.of(new OffsetJump("t", 0, 0, 9, "c1")),
                new Dataset.StoreUse(0, 0),
                null,
                new Dataset.Changes(0, 0, 0, 0),
                List.of(),
                List.of(),
                List.of(),
                false);
        assertThat(OffsetsView.table(dataset).toString())
                .isEqualTo("TOPIC  PARTITION  COMMITTED END  COMMIT  PASSED OVER\n"
                        + "t      0          9              c1      0 to 9 by c1\n"
                        + "u=v    3          7              c2\n");
        assertThat(Json.text(OffsetsView.json(dataset)))
                .isEqualTo("{\"path\": \"/d\", \"id\": \"id\", \"offsets\": [{\"topic\": \"t\", \"partition\": 0,"
                        + " \"end\": 9, \"commitId\": \"c1\", \"topicId\": \"topic\", \"passedOver\": {\"from\": 0,"
                        + " \"to\": 9, \"commitId\": \"c1\"}}, {\"topic\": \"u=v\", \"partition\": 3, \"end\": 7,"
                        + " \"commitId\": \"c2\", \"topicId\": null, \"passedOver\": null}]}");
        assertThat(OffsetsView.text(new OffsetReset("t", 0, 9, 5)))
                .isEqualTo("t:0 is committed up to 5, not 9 any more: offsets 5 to 9 are written again");
        assertThat(OffsetsView.text(new OffsetReset("t", 0, 9, 12))).endsWith("offsets 9 to 12 are left out");
        assertThat(OffsetsView.text(new OffsetReset("t", 0, OffsetReset.NONE, 12)))
                .isEqualTo("t:0 is committed up to 12; nothing was committed before");
    }

    @Test
    void aGroupOfCommandsAloneIsAWrongCommandLine() {
        for (String[] args : new String[][] {{}, {"dataset"}}) {
            assertThat(run(args)).isEqualTo(2);
            assertThat(out.toString()).isEmpty();
        }
        assertThat(err.toString())
                .contains("Missing required subcommand", "Usage: mpsr dataset [-hV] COMMAND", "create", "drop");
    }

    @Test
    void wrongOptionsOfMaintainAreTold() {
        for (String[] args :
                new String[][] {{"--interval", "soon"}, {"--interval", "0s"}, {"--tasks", "vacuum"}, {"--runs", "0"}}) {
            assertThat(run("maintain", args[0], args[1])).as(args[1]).isEqualTo(2);
        }
        assertThat(err.toString())
                .contains("'soon' is no time from 1s; give one such as 90s, 10m or 1h")
                .contains("--tasks: 'vacuum' is no task; there are rebuild, adopt, compact, scrub")
                .contains("--runs 0: give a number from 1");
    }

    @Test
    void wrongOptionsOfRunsAreTold() {
        for (String command : List.of("compact", "maintain")) {
            for (String[] args : new String[][] {
                {"--parallelism", "-1"}, {"--parallelism", "x"}, {"--bandwidth", "-1"}, {"--target-bytes", "5"}
            }) {
                assertThat(run(command, args[0], args[1])).as(args[0]).isEqualTo(2);
            }
            assertThat(err.toString())
                    .contains("'-1' is no number of tasks; give one from 1, or leave it out")
                    .contains("'x' is no number of tasks")
                    .contains("'-1' is no number of bytes")
                    .contains(
                            "'5' is less than the least target, which is 1048576 bytes; give one such as 8g, or leave it out");
            err.getBuffer().setLength(0);
        }
    }

    @Test
    void aFileSystemThatIsNotHdfsIsNamed() {
        assertThat(run("groups", "--fs", "file:///tmp")).isEqualTo(1);
        assertThat(err.toString()).contains("the file system 'file:///tmp' is not HDFS");
    }

    @Test
    void noNameNodeIsOneLine() {
        assertThat(run("groups", "--fs", "hdfs://127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString().trim())
                .startsWith("mpsr: no NameNode answers")
                .hasLineCount(1);
    }

    @Test
    void theStatusIsAnExitCodeForMonitoring() {
        StatusResponseProto ready = StatusResponseProto.newBuilder()
                .setState("ready")
                .setStoreDir("/.mpsr")
                .setDatasets(1)
                .setVersion("1")
                .build();
        assertThat(StatusCommand.exitCode(ready)).isZero();
        assertThat(StatusCommand.exitCode(
                        ready.toBuilder().addWarning("1 file is degraded").build()))
                .isEqualTo(1);
        assertThat(StatusCommand.exitCode(ready.toBuilder().setState("off").build()))
                .isEqualTo(2);
        assertThat(StatusCommand.exitCode(withCopies(ready, 2))).isEqualTo(1);
        assertThat(StatusCommand.exitCode(withCopies(ready, 0))).isEqualTo(2);
        assertThat(run("status", "--fs", "hdfs://127.0.0.1:1")).isEqualTo(3);
        assertThat(err.toString()).startsWith("mpsr: no NameNode answers");
    }

    /** With a dataset of which five records have so many live copies. */
    private static StatusResponseProto withCopies(StatusResponseProto status, int copies) {
        DatasetRedundancyProto.Builder dataset =
                DatasetRedundancyProto.newBuilder().setPath("/cals/meas");
        for (int i = 0; i <= 3; i++) {
            dataset.addRedundancy(RedundancyProto.newBuilder()
                    .setCopies(i)
                    .setRecords(i == 3 ? 100 : i == copies ? 5 : 0)
                    .setBytes(i == 3 ? 2_000 : i == copies ? 90 : 0));
        }
        return status.toBuilder().addRedundancy(dataset).buildPartial();
    }

    private static final NodeMoveProto MOVE = NodeMoveProto.newBuilder()
            .setNode(NodeProto.newBuilder()
                    .setUuid("u1")
                    .setHost("dn1")
                    .setRack("/r1")
                    .setGroup("time"))
            .setTo("signal")
            .setStep(1)
            .setReason("time has 4")
            .setBytes(300)
            .build();

    private static String shown(RebalanceResponseProto answer) {
        StringWriter text = new StringWriter();
        RebalanceCommand.print(new Output(new PrintWriter(text, true)), answer);
        return text.toString();
    }

    @Test
    void aPlanIsShownWithWhatItCannotDo() {
        RebalanceResponseProto plan = RebalanceResponseProto.newBuilder()
                .setRunning(false)
                .addMove(MOVE)
                .addRefused("dn2 cannot move")
                .build();
        assertThat(shown(plan))
                .contains("1     dn1   /r1   time  signal  300    time has 4")
                .contains("Refused: dn2 cannot move", "Nothing has changed yet", "--execute");
        assertThat(Json.text(RebalanceCommand.json(plan)))
                .isEqualTo(
                        "{\"running\": false, \"moves\": [{\"step\": 1, \"uuid\": \"u1\", \"host\": \"dn1\", \"rack\":"
                                + " \"/r1\", \"from\": \"time\", \"to\": \"signal\", \"bytes\": 300, \"reason\": \"time"
                                + " has 4\"}], \"refused\": [\"dn2 cannot move\"], \"waiting\": null}");
        assertThat(shown(RebalanceResponseProto.newBuilder().setRunning(false).build()))
                .isEqualTo("There is nothing to move.\n");
    }

    @Test
    void aRunIsShownWithHowFarItIs() {
        RebalanceResponseProto run = RebalanceResponseProto.newBuilder()
                .setRunning(true)
                .addMove(MOVE.toBuilder().setDraining(true).setBlocksLeft(7))
                .addMove(MOVE.toBuilder().setStep(2).setDraining(false))
                .setWaiting("DataNode dn1 is not alive")
                .build();
        assertThat(shown(run))
                .contains("1     dn1   /r1   time  signal  draining, 7 block(s) left")
                .contains("2     dn1   /r1   time  signal  waiting")
                .contains("Waiting: DataNode dn1 is not alive");
        assertThat(Json.text(RebalanceCommand.json(run)))
                .contains("\"draining\": true, \"blocksLeft\": 7", "\"draining\": false, \"blocksLeft\": null");
    }

    @Test
    void aRebalanceIsStartedOrCancelled() {
        assertThat(run("groups", "rebalance", "--execute", "--cancel")).isEqualTo(2);
        assertThat(err.toString()).contains("--execute, --cancel are mutually exclusive");
        assertThat(run("groups", "rebalance", "--execute", "--bandwidth", "fast"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'fast' is no number of bytes; give one such as 1048576 or 50m");
        assertThat(run("groups", "rebalance", "--bandwidth", "50m", "--fs", "hdfs://127.0.0.1:1"))
                .isEqualTo(1);
        assertThat(run("groups", "forget")).isEqualTo(2);
        assertThat(run("groups", "rebalance", "--fs", "hdfs://127.0.0.1:1")).isEqualTo(1);
    }

    @Test
    void theStatusSaysEachThingOnce() {
        StatusCommand.print(
                new Output(new PrintWriter(out, true)),
                StatusResponseProto.newBuilder()
                        .setState("ready")
                        .setStoreDir("/.mpsr")
                        .setDatasets(2)
                        .setVersion("1")
                        .addCounter(
                                CounterProto.newBuilder().setName("Datasets").setValue(2))
                        .addCounter(CounterProto.newBuilder().setName("Commits").setValue(5))
                        .addWarning("1 file is degraded")
                        .addRedundancy(withCopies(StatusResponseProto.getDefaultInstance(), 1)
                                .getRedundancy(0))
                        .addDropped(DroppedProto.newBuilder()
                                .setPath("/cals/meas")
                                .setStoreDir("/.mpsr/datasets/meas-1")
                                .setDeletedAt(3_600_000)
                                .setFiles(2)
                                .setStoredBytes(2_000)
                                .setLackingFiles(3))
                        .build());
        assertThat(out.toString().lines())
                .containsExactly(
                        "State: ready",
                        "  - 1 file is degraded",
                        "Live copies of /cals/meas: 0: 0 records (0 bytes), 1: 5 records (90 bytes), 2: 0 records (0"
                                + " bytes), 3: 100 records (2000 bytes)",
                        "Version: 1",
                        "Datasets: 2",
                        "Commits: 5",
                        "Dropped: other representations of /cals/meas: 2 files, 2000 bytes with all copies, in"
                                + " /.mpsr/datasets/meas-1, deleted after 1970-01-01T01:00:00Z once HDFS has made all copies of the files"
                                + " that stay; 3 file(s) lack copies");
    }

    @Test
    void aNameNodeWithoutMpsrIsExplained() {
        String name = "org.apache.hadoop.ipc.RpcNoSuchProtocolException";
        assertThat(Messages.of(new RemoteException(name, "Unknown protocol")))
                .contains("the NameNode runs without MPSR; set dfs.namenode.plugins");
        String authorization = "org.apache.hadoop.security.authorize.AuthorizationException";
        assertThat(Messages.of(new RemoteException(authorization, "Unknown protocol: x")))
                .contains("the NameNode runs without MPSR");
        assertThat(Messages.of(new RemoteException(authorization, "Protocol interface x is not known.")))
                .contains("the NameNode runs without MPSR");
        assertThat(Messages.of(new RemoteException(authorization, "User x is not authorized for protocol y")))
                .isEqualTo("mpsr: User x is not authorized for protocol y");
        assertThat(Messages.of(new RemoteException("java.io.IOException", "no such dataset\n\tat a.b.C")))
                .isEqualTo("mpsr: no such dataset");
    }

    @Test
    void jsonIsEscaped() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("a\"b", Arrays.asList(1, null, true, "x\n\u0001\\"));
        assertThat(Json.text(map)).isEqualTo("{\"a\\\"b\": [1, null, true, \"x\\n\\u0001\\\\\"]}");
    }

    @Test
    void aDatasetIsShown() {
        ReplicaGroup time =
                new ReplicaGroup("time", List.of(Predicate.parse("day(ts)")), List.of(), 1, Codec.parse("none"));
        Dataset dataset = new Dataset(
                "/cals/meas",
                "meas-1",
                Schema.parse("ts timestamp"),
                new ReplicaGroups(List.of(time), "time"),
                List.of(new Dataset.Representation(
                        "time", "/cals/meas", 2, 300, ContentHashes.of(new ContentHash(10, 1, 2)), "1 untracked file")),
                List.of(new CommittedOffset("t", 0, 10, "c")),
                List.of(),
                new Dataset.StoreUse(7, 600),
                null,
                new Dataset.Changes(4, 2, 5, 90),
                List.of(new MaintenanceRun("compact", 1_000, 3_000, MaintenanceRun.Outcome.FAILED, 2, 0, 0, 0, "a\nb")),
                List.of("ts"),
                List.of(),
                false);
        DatasetView.print(new Output(new PrintWriter(out, true)), dataset);
        assertThat(out.toString())
                .contains(
                        "Store:    7 files and directories, 600 bytes in all copies",
                        "Segments: 2 after 4 changes; 5 replaced files with 90 bytes in all copies are deleted later",
                        "Dataset:  /cals/meas (meas-1)",
                        "Keys:     ts; compaction keeps one record of each key, of the last commit",
                        "Run:      compact failed at 1970-01-01T00:00:03Z, 0 segments, 0 bytes; failures: 2, last done:"
                                + " never; a\\u000ab\n",
                        "time: 1 untracked file",
                        "00000000000000010000000000000002");
        assertThat(Json.text(DatasetView.json(dataset)))
                .contains(
                        "\"store\": {\"names\": 7, \"space\": 600}",
                        "\"changes\": {\"sequence\": 4, \"segments\": 2, \"replacedFiles\": 5, \"replacedBytes\": 90}",
                        "\"maintenance\": [{\"task\": \"compact\", \"outcome\": \"failed\","
                                + " \"started\": \"1970-01-01T00:00:01Z\", \"ended\": \"1970-01-01T00:00:03Z\","
                                + " \"failures\": 2, \"lastDone\": null, \"segments\": 0, \"bytes\": 0,"
                                + " \"problem\": \"a\\nb\"}]",
                        "\"keys\": [\"ts\"]",
                        "\"records\": 10",
                        "\"end\": 10",
                        "\"health\": \"time: 1 untracked file\"");
    }

    @Test
    void numbersThatTheCallerIsNotToldAreNoZeros() {
        String reason = "user u may not read all files and directories below /cals/meas";
        Dataset dataset = new Dataset(
                "/cals/meas",
                "meas-1",
                Schema.parse("ts timestamp"),
                new ReplicaGroups(List.of(), "time"),
                List.of(new Dataset.Representation("time", "/cals/meas", 0, 0, ContentHashes.EMPTY, reason)),
                List.of(),
                List.of(),
                new Dataset.StoreUse(0, 0),
                reason,
                new Dataset.Changes(0, 0, 0, 0),
                List.of(),
                List.of(),
                List.of(),
                false);
        DatasetView.print(new Output(new PrintWriter(out, true)), dataset);
        assertThat(out.toString())
                .contains("Health:   " + reason + "\n", "time   -      -        -      -             /cals/meas");
        assertThat(Json.text(DatasetView.json(dataset)))
                .contains(
                        "\"records\": null",
                        "\"files\": null, \"records\": null, \"bytes\": null, \"contentHash\": null",
                        "\"store\": {\"names\": null, \"space\": null}",
                        "\"changes\": {\"sequence\": null, \"segments\": null",
                        "\"health\": \"" + reason + "\"");
        assertThat(DatasetView.table(List.of(dataset)).toString()).contains("/cals/meas  -        -      " + reason);
    }
}
