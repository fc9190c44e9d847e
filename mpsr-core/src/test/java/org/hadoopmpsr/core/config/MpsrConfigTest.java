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
package org.hadoopmpsr.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.SlowReads;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.LeadingBits;
import org.hadoopmpsr.core.group.SortKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MpsrConfigTest {
    private final Map<String, String> values = new HashMap<>(Map.of(
            "dfs.mpsr.replica.groups", "time, signal,device",
            "dfs.mpsr.replica.group.time.predicates", "day(timestamp)",
            "dfs.mpsr.replica.group.signal.predicates", "bucket(64, signal)",
            "dfs.mpsr.replica.group.signal.sort", "signal, timestamp",
            "dfs.mpsr.replica.group.device.predicates", "system, device",
            "dfs.mpsr.replica.group.device.replication", "2",
            "dfs.mpsr.replica.group.device.codec", "zstd:9"));

    private MpsrConfig read() {
        return MpsrConfig.read(new MpsrConfig.Source() {
            @Override
            public @Nullable String apply(@Nullable String key) {
                return values.get(key);
            }

            @Override
            public Map<String, String> below(String prefix) {
                Map<String, String> below = new TreeMap<>();
                values.forEach((key, value) -> {
                    if (key.startsWith(prefix)) {
                        below.put(key.substring(prefix.length()), value);
                    }
                });
                return below;
            }
        });
    }

    @Test
    void groupsMayHoldColumnsInTransforms() {
        values.put("dfs.mpsr.replica.group.signal.transform.value", "planes:16,16,32");
        values.put("dfs.mpsr.replica.group.signal.transform.raw counts", " other ");
        values.put("dfs.mpsr.replica.group.time.transform.value", "identity");
        assertThat(read().problems()).isEmpty();
        assertThat(read().groups()
                        .orElseThrow()
                        .find("signal")
                        .orElseThrow()
                        .transforms()
                        .texts())
                .containsExactly("`raw counts`=other", "value=planes:16,16,32");
        values.put("dfs.mpsr.replica.group.time.transform.value", "planes:16,16,32");
        values.put("dfs.mpsr.replica.group.signal.transform.VALUE", "identity");
        values.put("dfs.mpsr.replica.group.device.transform.value", "Planes!");
        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "dfs.mpsr.replica.group.signal.transform.value = 'planes:16,16,32': the column has another key, in"
                                + " other letters; set one of them",
                        "dfs.mpsr.replica.group.device.transform.value = 'Planes!': 'Planes!' names no transform: write"
                                + " name or name:parameters, such as planes:16,16,32; correct the transform or leave the"
                                + " key out",
                        "dfs.mpsr.replica.group.time.transform.value = 'planes:16,16,32': 'time' is the default group,"
                                + " whose files every reader reads; leave the key out, or set it for another group");
    }

    @Test
    void aGroupWithRoundedValuesIsBesideTwoOthers() {
        values.put("dfs.mpsr.replica.group.signal.transform.value", "lossy:abs=0.001");
        assertThat(read().problems()).isEmpty();
        values.put("dfs.mpsr.replica.group.device.transform.value", "lossy:bits=9");
        String rest = ": a group with rounded values is no copy of the records, and only [time] holds the values"
                + " themselves; have two other groups without 'lossy', or take the transform away";
        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "dfs.mpsr.replica.group.signal.transform.value = 'lossy:abs=0.001'" + rest,
                        "dfs.mpsr.replica.group.device.transform.value = 'lossy:bits=9'" + rest);
        assertThat(read().groups()).isEmpty();
        values.remove("dfs.mpsr.replica.group.device.transform.value");
        values.put("dfs.mpsr.default.group", "signal");
        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "dfs.mpsr.replica.group.signal.transform.value = 'lossy:abs=0.001': 'signal' is the"
                                + " default group, whose files every reader reads; leave the key out, or set it for another group");
    }

    @Test
    void readsAllKeys() {
        MpsrConfig config = read();
        assertThat(config.problems()).isEmpty();
        assertThat(config.groups().orElseThrow().names()).containsExactly("time", "signal", "device");
        assertThat(config.groups().orElseThrow().defaultName()).isEqualTo("time");
        assertThat(config.groups()
                        .orElseThrow()
                        .find("signal")
                        .orElseThrow()
                        .predicates()
                        .get(0)
                        .text())
                .isEqualTo("bucket(64, signal)");
        assertThat(config.groups().orElseThrow().find("device").orElseThrow())
                .satisfies(g -> assertThat(g.replication()).isEqualTo(2))
                .satisfies(g -> assertThat(g.codec().text()).isEqualTo("zstd:9"));
        assertThat(config.storeDir()).isEqualTo("/.mpsr");
    }

    @Test
    void columnsMayHaveCodecsOfTheirOwn() {
        values.put("dfs.mpsr.replica.group.signal.codec", "value=zstd:19, gzip:9, `raw, counts`=none");
        Codecs codecs =
                read().groups().orElseThrow().find("signal").orElseThrow().codec();
        assertThat(codecs.text()).isEqualTo("gzip:9, `raw, counts`=none, value=zstd:19");
        assertThat(codecs.of("VALUE")).isEqualTo(Codec.parse("zstd:19"));
        assertThat(codecs.of("signal")).isEqualTo(Codec.parse("gzip:9"));
        values.put("dfs.mpsr.replica.group.signal.codec", "value=gzip:10");
        values.put("dfs.mpsr.replica.group.device.codec", "zstd, none");
        values.put("dfs.mpsr.replica.group.time.codec", "value=none, Value=zstd");

        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "dfs.mpsr.replica.group.time.codec = 'value=none, Value=zstd': column 'Value' has two codecs; name"
                                + " it once; correct the codec or leave the key out",
                        "dfs.mpsr.replica.group.signal.codec = 'value=gzip:10': unknown codec 'gzip:10'; use zstd, zstd:<1-22>,"
                                + " snappy, lz4_raw, gzip, gzip:<1-9>, none or auto; correct the codec or leave the key out",
                        "dfs.mpsr.replica.group.device.codec = 'zstd, none': 'zstd, none' has two codecs without a column;"
                                + " name one for all columns, and others as column=codec; correct the codec or leave the"
                                + " key out");
    }

    @Test
    void eachGroupHasAScatterWidth() {
        assertThat(read().scatterWidths().of("time")).isEqualTo(ScatterWidths.DEFAULT);

        values.put("dfs.mpsr.segment.nodes", "5");
        values.put("dfs.mpsr.replica.group.time.segment.nodes", "0");
        values.put("dfs.mpsr.replica.group.signal.segment.nodes", "3");
        values.put("dfs.mpsr.replica.group.device.segment.nodes", "all");
        ScatterWidths widths = read().scatterWidths();

        assertThat(widths.of("time").text()).isEqualTo("5");
        assertThat(widths.of("signal").text()).isEqualTo("3");
        assertThat(widths.of("device").isAll()).isTrue();
        assertThat(widths.of("of an older configuration").text()).isEqualTo("5");
    }

    @Test
    void aScatterWidthIsANumberOrAll() {
        values.put("dfs.mpsr.segment.nodes", "none");
        values.put("dfs.mpsr.replica.group.signal.segment.nodes", "-1");

        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "dfs.mpsr.segment.nodes = 'none': not a whole number from 0, and not all; set it to 0 or leave it"
                                + " out",
                        "dfs.mpsr.replica.group.signal.segment.nodes = '-1': not a whole number from 0, and not all; set"
                                + " it to 0 or leave it out");
    }

    @Test
    void withoutGroupsItIsOffWithoutAProblem() {
        values.clear();
        assertThat(read().groups()).isEmpty();
        assertThat(read().problems()).isEmpty();
    }

    @Test
    void sortsByBits() {
        values.put("dfs.mpsr.replica.group.signal.sort", "signal, bits(16, value), timestamp");
        MpsrConfig config = read();
        assertThat(config.problems()).isEmpty();
        assertThat(config.groups().orElseThrow().find("signal").orElseThrow().sort())
                .containsExactly(
                        SortKey.of("signal"), new SortKey("value", new LeadingBits(16)), SortKey.of("timestamp"));
        assertThat(problemOfSort("bits(40, value)")).contains("bits needs a count from 2 to 32, not 40");
        assertThat(problemOfSort("bits(16, value), VALUE")).contains("column 'VALUE' is named twice; name it once");
        assertThat(problemOfSort("day(timestamp)"))
                .contains("'day(timestamp)' is no sort key: files are sorted by columns, and by bits(n, column)");
        values.put("dfs.mpsr.replica.group.signal.predicates", "n, bits(16, value)");
        assertThat(problemOfSort("bits(16, value)"))
                .contains("all records of a file have the same bits(16, value), because the group's predicates divide"
                        + " records by it; leave it out of the sort order");
        assertThat(problemOfSort("bits(9, n)")).contains("all records of a file have the same bits(9, n)");
        assertThat(problemOfSort("bits(17, value), n")).isEmpty();
    }

    private String problemOfSort(String sort) {
        values.put("dfs.mpsr.replica.group.signal.sort", sort);
        List<ConfigProblem> problems = read().problems();
        return problems.isEmpty() ? "" : ConfigProblem.message(problems);
    }

    @Test
    void listsEveryProblemAtOnce() {
        values.put("dfs.mpsr.replica.groups", "time,signal,device,time,staging");
        values.put("dfs.mpsr.replica.group.time.predicates", "week(timestamp)");
        values.put("dfs.mpsr.replica.group.signal.predicates", "signal, bucket(4, signal)");
        values.put("dfs.mpsr.replica.group.signal.sort", "a, A");
        values.put("dfs.mpsr.replica.group.device.replication", "none");
        values.put("dfs.mpsr.replica.group.device.codec", "zip");
        values.put("dfs.mpsr.default.group", "tiem");
        values.put("dfs.mpsr.store.dir", "mpsr");
        MpsrConfig config = read();
        assertThat(config.groups()).isEmpty();
        assertThat(ConfigProblem.message(config.problems()))
                .contains("dfs.mpsr.store.dir = 'mpsr': not an absolute path below the root; set it to /.mpsr")
                .contains("dfs.mpsr.replica.groups = 'time': the group is listed twice; list each group once")
                .contains("dfs.mpsr.replica.groups = 'staging': not a usable group name")
                .contains("dfs.mpsr.replica.group.staging.predicates = '': the group has no predicate")
                .contains("unknown predicate 'week(timestamp)'")
                .contains("column 'signal' is named twice; name it in one predicate")
                .contains("dfs.mpsr.replica.group.signal.sort = 'a, A': column 'A' is named twice")
                .contains("dfs.mpsr.replica.group.device.replication = 'none': not a whole number from 1; set it to 1")
                .contains("unknown codec 'zip'")
                .contains("dfs.mpsr.default.group = 'tiem': not one of the groups");
    }

    /** Readers say "stock" where no group was chosen. */
    @Test
    void noGroupHasTheNameOfAReadWithoutGroups() {
        values.put("dfs.mpsr.replica.groups", "time,stock");
        values.put("dfs.mpsr.replica.group.stock.predicates", "signal");
        MpsrConfig config = read();
        assertThat(config.groups()).isEmpty();
        assertThat(ConfigProblem.message(config.problems()))
                .contains(
                        "dfs.mpsr.replica.groups = 'stock': not a usable group name; use letters, digits, hyphens and"
                                + " underscores, and none of [commits, offsets, publishing, replaced, segments, staging, stock]");
    }

    @Test
    void everyKeyIsReadAndNoOther() {
        List<String> asked = new java.util.ArrayList<>();
        MpsrConfig.read(new MpsrConfig.Source() {
            @Override
            public @Nullable String apply(@Nullable String key) {
                asked.add(key);
                return ConfigKeys.GROUPS.name().equals(key) ? "g" : null;
            }

            @Override
            public Map<String, String> below(String prefix) {
                asked.add(prefix + "<column>");
                return Map.of();
            }
        });
        assertThat(asked)
                .containsExactlyInAnyOrderElementsOf(
                        ConfigKeys.all().stream().flatMap(k -> named(k.of("g"))).toList());
    }

    /** One key for each codec where there is one for each. */
    private static Stream<String> named(String key) {
        return key.contains("<codec>")
                ? Codec.Kind.OF_FILES.stream()
                        .map(k -> key.replace("<codec>", k.name().toLowerCase(Locale.ROOT)))
                : Stream.of(key);
    }

    /** Written anew with {@code -Dmpsr.write=true}. */
    @Test
    void theReferenceInTheDocsIsCurrent() throws IOException {
        Path root = Path.of("..");
        Map<Path, String> files = Map.of(
                root.resolve("docs/configuration.md"), ConfigReference.markdown(),
                root.resolve("conf/mpsr-default.xml"), ConfigReference.xml());
        for (Map.Entry<Path, String> file : files.entrySet()) {
            if (Boolean.getBoolean("mpsr.write")) {
                Files.writeString(file.getKey(), file.getValue());
            }
            assertThat(file.getKey()).hasContent(file.getValue());
        }
    }

    @Test
    void costsHaveTheirUnits() {
        values.put("dfs.mpsr.cost.open.ms", "3.5");
        values.put("dfs.mpsr.cost.disk.mb.per.second", "120");
        values.put("dfs.mpsr.cost.decompress.snappy.mb.per.second", "90");
        values.put("dfs.mpsr.cost.decode.million.values.per.second", "40");
        values.put("dfs.mpsr.cost.parallelism", "16");
        values.put("dfs.mpsr.cost.slow.node.factor", "2.5");

        CostModel costs = read().costs();

        assertThat(costs.openMs()).isEqualTo(3.5);
        assertThat(costs.read()).isEqualTo(new ReadCost(2, 120_000, 1, 110_000));
        assertThat(costs.decompressBytesPerMs())
                .containsEntry(Codec.Kind.SNAPPY, 90_000.0)
                .containsEntry(Codec.Kind.ZSTD, 150_000.0);
        assertThat(costs.valuesPerMs()).isEqualTo(40_000);
        assertThat(costs.parallelism()).isEqualTo(16);
        assertThat(read().slowReads()).isEqualTo(new SlowReads(2.5));
    }

    @Test
    void costsThatCannotBeAreProblems() {
        values.put("dfs.mpsr.cost.open.ms", "-1");
        values.put("dfs.mpsr.cost.network.mb.per.second", "0");
        values.put("dfs.mpsr.cost.parallelism", "many");
        values.put("dfs.mpsr.cost.slow.node.factor", "0.5");

        MpsrConfig config = read();

        assertThat(config.groups()).isEmpty();
        assertThat(config.problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "dfs.mpsr.cost.open.ms = '-1': not a number from 0; set it to 6 or leave it out",
                        "dfs.mpsr.cost.network.mb.per.second = '0': not a number above 0; set it to 110 or leave it out",
                        "dfs.mpsr.cost.parallelism = 'many': not a number from 1; set it to 1 or leave it out",
                        "dfs.mpsr.cost.slow.node.factor = '0.5': not a number from 1; set it to 4 or leave it out");
    }
}
