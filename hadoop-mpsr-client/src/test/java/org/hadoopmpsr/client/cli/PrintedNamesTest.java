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

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.proto.MpsrProtos.ProblemProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.verify.PlacementCheck;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.text.PrintableText;
import org.junit.jupiter.api.Test;

/** Names that forge lines or control a terminal, in all that commands print. */
class PrintedNamesTest {
    private static final String HOSTILE = "/cals/a\nState: ready\u001b]0;x\u0007\u202e\u009b2J\ud83d";
    private static final String SHOWN = "/cals/a\\u000aState: ready\\u001b]0;x\\u0007\\u202e\\u009b2J\\ud83d";

    private final StringWriter text = new StringWriter();
    private final Output out = new Output(new PrintWriter(text, true));

    private List<String> lines() {
        List<String> lines = text.toString().lines().toList();
        assertThat(lines).allMatch(PrintableText::isPlain).anyMatch(line -> line.contains(SHOWN));
        return lines;
    }

    private static Dataset dataset() {
        ReplicaGroup group =
                new ReplicaGroup("time", List.of(Predicate.parse("day(ts)")), List.of(), 1, Codec.parse("none"));
        return new Dataset(
                HOSTILE,
                "meas-1",
                Schema.parse("ts timestamp"),
                new ReplicaGroups(List.of(group), "time"),
                List.of(new Dataset.Representation(
                        "time", HOSTILE, 2, 300, ContentHashes.of(new ContentHash(10, 1, 2)), HOSTILE)),
                List.of(new CommittedOffset(HOSTILE, 0, 10, "c")));
    }

    @Test
    void ofDatasets() {
        DatasetView.print(out, dataset());
        assertThat(lines()).hasSize(9).doesNotContain("State: ready");
    }

    @Test
    void ofAListOfDatasets() {
        out.table(DatasetView.table(List.of(dataset())));
        assertThat(lines()).hasSize(2);
    }

    @Test
    void ofMisplacedBlocks() {
        PlacementCheck.Violation violation = new PlacementCheck.Violation(HOSTILE, "blk_1", "time", "host", "");
        CheckView.print(out, new Path(HOSTILE), new PlacementCheck.Result(2, 3, List.of(violation), List.of(HOSTILE)));
        assertThat(lines()).hasSize(4);
    }

    @Test
    void ofTheStatus() {
        StatusCommand.print(
                out,
                StatusResponseProto.newBuilder()
                        .setState("off")
                        .setStoreDir("/.mpsr")
                        .setDatasets(0)
                        .setVersion("1")
                        .addProblem(ProblemProto.newBuilder()
                                .setKey("k")
                                .setValue(HOSTILE)
                                .setCause("c")
                                .setFix("f"))
                        .addWarning(HOSTILE + " came without a commit")
                        .build());
        assertThat(lines())
                .containsExactly(
                        "State: off",
                        "  - k = '" + SHOWN + "': c; f",
                        "  - " + SHOWN + " came without a commit",
                        "Version: 1");
    }

    @Test
    void ofErrors() {
        for (IOException error : List.of(
                new IOException(HOSTILE), new RemoteException("java.io.IOException", HOSTILE + "\n\tat a.B.c"))) {
            text.getBuffer().setLength(0);
            out.message(Messages.of(error));
            assertThat(lines()).containsExactly("mpsr: " + SHOWN);
        }
    }

    @Test
    void ofTheCommandLine() {
        MpsrCommand.commandLine().setErr(new PrintWriter(text, true)).execute("status", HOSTILE);
        assertThat(lines().get(0)).startsWith("Unmatched argument").endsWith("'" + SHOWN + "'");
    }

    @Test
    void fieldsStayFields() {
        out.fields("host\t1", HOSTILE);
        assertThat(text.toString()).isEqualTo("host\\u00091\t" + SHOWN + System.lineSeparator());
    }

    @Test
    void jsonHasTheNameAsItIs() {
        String json = Json.text(List.of(HOSTILE));
        assertThat(json)
                .isEqualTo("[\"/cals/a\\nState: ready\\u001b]0;x\\u0007\\u202e\\u009b2J\\ud83d\"]")
                .matches(PrintableText::isPlain);
    }
}
