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
package org.hadoopmpsr.client.cli.alter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.Dataset.Alteration;
import org.hadoopmpsr.client.Dataset.Representation;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AlterViewTest {
    private static final Dataset DATASET = dataset(
            List.of(group("time", "day"), group("signal", "device")),
            List.of(held("time", 9), held("signal", 9), held("signal.2", 4)),
            List.of(new Alteration(group("signal.2", "bucket(4, `device name`)"), "signal")));

    private static Dataset dataset(List<ReplicaGroup> groups, List<Representation> held, List<Alteration> alterations) {
        return new Dataset(
                "/d",
                "d-1",
                Schema.parse("day date, device string, `device name` string"),
                new ReplicaGroups(groups, "time"),
                held,
                List.of(),
                List.of(),
                new Dataset.StoreUse(0, 0),
                null,
                new Dataset.Changes(0, 0, 0, 0),
                List.of(),
                List.of(),
                alterations,
                false);
    }

    private static ReplicaGroup group(String name, String predicate) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse(predicate)), SortKey.of(List.of("day")), 1, Codec.parse("zstd:3"));
    }

    private static Representation held(String group, long records) {
        ContentHash content = new ContentHash(HashKind.XXH_128, records, 1, 2);
        return new Representation(group, "/r/" + group, 1, 10, ContentHashes.of(content), null);
    }

    @Test
    void peopleSeeHowFarIncompleteGroupsAre() {
        assertThat(AlterView.lines(DATASET))
                .containsExactly(
                        "columns: day date, device string, `device name` string",
                        "group 'time': day, sorted by day, zstd:3",
                        "group 'signal': device, sorted by day, zstd:3",
                        "group 'signal.2': bucket(4, `device name`), sorted by day, zstd:3; incomplete, 4 of 9 records are written;"
                                + " then group 'signal' goes");
    }

    @Test
    void programsSeeTheSame() {
        Map<String, Object> json = AlterView.json(DATASET);
        assertThat(json).containsEntry("path", "/d").containsEntry("records", 9L);
        assertThat(json).containsEntry("schema", "day date, device string, `device name` string");
        assertThat(json.get("groups").toString())
                .contains("group=signal.2", "records=4, complete=false, replaces=signal")
                .contains(
                        "group=time, predicates=[day], sort=[day], codec=zstd:3, transforms=[], records=9, complete=true");
    }

    /** Codecs that are chosen for each file are shown as they are asked for. */
    @Test
    void aCodecThatIsChosenIsShown() {
        ReplicaGroup signal = new ReplicaGroup(
                "signal", List.of(Predicate.parse("device")), List.of(), 1, Codecs.parse("zstd:9, device=auto"));
        ReplicaGroup time =
                new ReplicaGroup("time", List.of(Predicate.parse("day")), List.of(), 1, Codec.parse("auto"));
        Dataset dataset = dataset(List.of(time, signal), List.of(held("time", 9), held("signal", 9)), List.of());
        assertThat(AlterView.lines(dataset))
                .anySatisfy(
                        line -> assertThat(line).startsWith("group 'time': day").endsWith(", auto"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("group 'signal'").endsWith(", zstd:9, device=auto"));
        assertThat(AlterView.json(dataset).get("groups").toString())
                .contains("codec=auto", "codec=zstd:9, device=auto");
    }

    private static String refused(String... arguments) {
        StringWriter said = new StringWriter();
        int code = new CommandLine(new AlterCommand())
                .setErr(new PrintWriter(said, true))
                .execute(arguments);
        assertThat(code).as(said.toString()).isEqualTo(2);
        return said.toString();
    }

    @Test
    void anActionSaysAllThatItNeedsAndNothingElse() {
        assertThat(refused("/d", "set-group")).contains("set-group needs a GROUP");
        assertThat(refused("/d", "cancel", "signal")).contains("cancel takes no GROUP or COLUMN");
        assertThat(refused("/d", "add-column")).contains("add-column needs a COLUMN");
        assertThat(refused("/d", "drop-group", "signal", "--transform", "v=identity"))
                .contains("--predicates, --sort, --codec and --transform are for add-group and set-group");
        assertThat(refused("/d", "remove")).contains("remove");
        assertThat(refused("/d")).contains("Missing required parameter: 'ACTION'");
    }
}
