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
package org.hadoopmpsr.client.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.cli.adopt.AdoptCommand;
import org.hadoopmpsr.core.advise.DirectoryLayout;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is to be done for a directory that is no dataset. */
class DirectoryAdviceTest {
    private static final Schema SCHEMA =
            Schema.parse("signal string, at timestamp, `wind speed` double, device string");
    private static final ReplicaGroup TIME = group("time", "day(at)", "");
    private static final ReplicaGroup SIGNAL = group("signal", "bucket(8, signal)", "");

    private static ReplicaGroup group(String name, String predicate, String sort) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse(predicate)), SortKey.parseList(sort), 1, Codec.parse("zstd"));
    }

    private static List<String> steps(
            String path, @Nullable String wanted, @Nullable ReplicaGroups configured, ReplicaGroup... groups) {
        DirectoryLayout layout = new DirectoryLayout(
                SCHEMA,
                List.of(Predicate.parse("device")),
                List.of(SCHEMA.find("device").orElseThrow()));
        return new DirectoryAdvice(3, 9, 2, 0, 1, 1, 4, layout, wanted, configured).steps(path, List.of(groups));
    }

    /** The words of a command as a shell takes them. */
    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i <= command.length(); i++) {
            char c = i == command.length() ? ' ' : command.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (c == '\\' && !quoted) {
                word.append(command.charAt(++i));
            } else if (c == ' ' && !quoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        return words;
    }

    @Test
    void theCommandIsOneThatAdoptTakes() {
        ReplicaGroup fast = group("signal", "bucket(32, `wind speed`)", "at");
        List<String> steps = steps(
                "/arch ive/it's",
                "`wind speed` bigint not null",
                new ReplicaGroups(List.of(TIME, SIGNAL), "time"),
                group("time", "device", ""),
                fast);
        assertThat(steps).hasSize(1);
        List<String> words = words(steps.get(0));
        assertThat(words.subList(0, 4)).containsExactly("hdfs", "mpsr", "dataset", "adopt");
        CommandLine.ParseResult parsed = new CommandLine(new AdoptCommand())
                .parseArgs(words.subList(4, words.size()).toArray(String[]::new));
        assertThat(parsed.matchedPositionalValue(0, "")).isEqualTo("/arch ive/it's");
        assertThat(parsed.matchedOptionValue("--execute", false)).isTrue();
        assertThat(Schema.parse(parsed.matchedOptionValue("--schema", "")))
                .isEqualTo(Schema.parse("`wind speed` bigint not null, device string"));
        List<String> none = List.of();
        assertThat(parsed.matchedOptionValue("--group", none).stream().map(WantedGroup::parse))
                .containsExactly(
                        new WantedGroup("time", List.of(Predicate.parse("device")), List.of(), null),
                        new WantedGroup("signal", fast.predicates(), fast.sort(), null));
    }

    @Test
    void groupsThatTheClusterLacksAreConfiguredFirst() {
        List<String> steps = steps(
                "/a", null, new ReplicaGroups(List.of(TIME, SIGNAL), "time"), TIME, group("group3", "device", "at"));
        assertThat(steps.get(0))
                .isEqualTo(
                        "name a group group3 in dfs.mpsr.replica.groups of hdfs-site.xml, with"
                                + " dfs.mpsr.replica.group.group3.predicates = device; dfs.mpsr.replica.group.group3.sort = at");
        assertThat(steps.get(1)).isEqualTo("hdfs mpsr dataset adopt /a --schema 'device string' --execute");
        assertThat(steps.get(2)).isEqualTo("hdfs mpsr dataset alter /a drop-group signal");
        assertThat(steps("/a", null, null, TIME, SIGNAL))
                .contains("set dfs.mpsr.replica.group.signal.predicates = bucket(8, signal)")
                .first()
                .asString()
                .contains("dfs.mpsr.replica.groups = time, signal; dfs.mpsr.default.group = time");
    }

    @Test
    void optionsAreReadAsTheyAreWritten() {
        AdviseOptions all = new AdviseOptions("/l", 4, 5, 7, 9, "a string", 3, 99, "/page");
        for (AdviseOptions options :
                List.of(all, new AdviseOptions(null, 0, 0, 1, AdviseOptions.USUAL_FILES, null, 0, 0, null))) {
            List<String> rest = new ArrayList<>();
            List<String> arguments = new ArrayList<>(options.toArguments());
            arguments.add("hdfs://n/a");
            assertThat(AdviseOptions.parse(arguments, rest)).isEqualTo(options);
            assertThat(rest).containsExactly("hdfs://n/a");
        }
        assertThatThrownBy(() -> AdviseOptions.parse(List.of("--from", "l", "--fast"), new ArrayList<>()))
                .hasMessage("there is no option '--fast'");
        assertThatThrownBy(() -> AdviseOptions.parse(List.of("/a", "--html", "f"), new ArrayList<>()))
                .hasMessageContaining("--html shows what --verify measures");
        assertThatThrownBy(() -> WantedGroup.parse("signal=")).hasMessageContaining("names no predicate");
        assertThatThrownBy(() -> WantedGroup.parse("bucket(8, signal)"))
                .hasMessageContaining("lacks the name of a group");
    }
}
