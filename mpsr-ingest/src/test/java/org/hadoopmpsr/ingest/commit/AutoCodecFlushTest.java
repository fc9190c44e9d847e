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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.flush.FlushCodecs;
import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.codec.CodecProfile;
import org.hadoopmpsr.core.codec.SamplingBudget;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.commit.LocalTarget.Fault;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sink chooses codecs by what it measures: a file system that a test makes slow, and profiles that it gives. */
class AutoCodecFlushTest {
    private static final Schema SCHEMA = Schema.parse("id bigint not null, value double");
    private static final ReplicaGroups GROUPS =
            new ReplicaGroups(List.of(group("plain", "zstd:1"), group("auto", "auto")), "auto");

    @TempDir
    private Path dir;

    private final AtomicLong delayNs = new AtomicLong();
    private final List<String> log = new ArrayList<>();
    private int commits;

    private static ReplicaGroup group(String name, String codecs) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse("bucket(1, id)")), SortKey.parseList("id"), 1, Codecs.parse(codecs));
    }

    private AutoCodecs codecs() {
        AutoCodecs codecs = new AutoCodecs(AutoCodecs.Purpose.FLUSH, new SamplingBudget(Double.MIN_NORMAL), log::add);
        for (String column : List.of("auto.id", "auto.value")) {
            codecs.profiles()
                    .measured(
                            column,
                            List.of(
                                    new CodecProfile(Codec.parse("lz4_raw"), 1, 0.7, 1),
                                    new CodecProfile(Codec.STANDARD, 100_000, 0.4, 2),
                                    new CodecProfile(Codec.parse("gzip"), 200_000, 0.3, 2)));
        }
        return codecs;
    }

    /** Flushes some records. */
    private Set<String> flush(CommitStager stager, LocalTarget target) throws Exception {
        Random random = new Random(commits);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RecordAppender appender = new RecordAppender(buffer, GROUPS);
        for (int id = 0; id < 3_000; id++) {
            appender.begin();
            appender.putLong(0, id);
            if (id % 13 == 5) {
                appender.putNull(1);
            } else {
                appender.putDouble(1, random.nextGaussian());
            }
            appender.end(0);
        }
        String commit = "c" + commits++;
        List<StagedFile> files =
                stager.stage(buffer, commit, target.begin(commit)).files();
        assertThat(files).hasSize(2);
        assertThat(rows(commit, files, "auto")).isEqualTo(rows(commit, files, "plain"));
        assertThat(content(files, "auto")).isEqualTo(content(files, "plain"));
        Set<String> codecs = new TreeSet<>();
        try (ParquetFileReader file = ParquetRows.open(path(commit, files, "auto"))) {
            file.getRowGroups()
                    .forEach(group -> group.getColumns()
                            .forEach(chunk -> codecs.add(chunk.getCodec().name())));
        }
        return codecs;
    }

    private Path path(String commit, List<StagedFile> files, String group) {
        StagedFile its = files.stream()
                .filter(file -> file.group().equals(group))
                .findFirst()
                .orElseThrow();
        return dir.resolve("staging").resolve(commit).resolve(group).resolve(its.relativePath());
    }

    private List<Map<String, Object>> rows(String commit, List<StagedFile> files, String group) throws IOException {
        List<Map<String, Object>> rows = ParquetRows.read(path(commit, files, group));
        rows.forEach(row -> row.remove("id_bucket")); // which the default group has in the path
        return rows;
    }

    private static ContentHash content(List<StagedFile> files, String group) {
        return files.stream()
                .filter(file -> file.group().equals(group))
                .map(file -> file.statistics().content())
                .reduce(ContentHash.EMPTY, ContentHash::plus);
    }

    @Test
    void aFileSystemThatIsSlowGetsFewerBytes() throws Exception {
        LocalTarget target = new LocalTarget(dir, SCHEMA, GROUPS);
        target.faults = place -> {
            if (place == Fault.CLOSE) {
                delayNs.addAndGet(3_600_000_000_000L);
            }
        };
        FlushCodecs flushes = new FlushCodecs(codecs(), () -> System.nanoTime() + delayNs.get());
        try (CommitStager stager = new CommitStager(target, GROUPS, 1, flushes)) {
            assertThat(flush(stager, target)).as("nothing measured yet").containsExactly("ZSTD");
            assertThat(flush(stager, target)).containsExactly("GZIP");
            assertThat(flushes.changes()).isEqualTo(2);
            assertThat(flushes.bytesPerSecond()).isBetween(1L, 1_000L);
            assertThat(flushes.cpuSharePerMille()).isBetween(1L, 1_000L);
        }
        assertThat(log).hasSize(2).anySatisfy(line -> assertThat(line).startsWith("auto.value gets gzip after zstd:3"));
    }

    @Test
    void aFileSystemThatIsFastGetsACodecThatIs() throws Exception {
        LocalTarget target = new LocalTarget(dir, SCHEMA, GROUPS);
        FlushCodecs flushes = new FlushCodecs(codecs(), System::nanoTime);
        try (CommitStager stager = new CommitStager(target, GROUPS, 1, flushes)) {
            assertThat(flush(stager, target)).as("nothing measured yet").containsExactly("ZSTD");
            assertThat(flush(stager, target)).containsExactly("LZ4_RAW");
        }
    }
}
