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
package org.hadoopmpsr.catalog.append;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.flush.FlushCodecs;
import org.hadoopmpsr.core.codec.CodecProfile;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway chooses codecs as a sink does, from profiles that a test gives. */
class StagedRecordsTest {
    private static final Schema SCHEMA = Schema.parse("id bigint not null, value double");
    private static final ReplicaGroups GROUPS =
            new ReplicaGroups(List.of(group("plain", "zstd:1"), group("auto", "auto")), "plain");

    @TempDir
    private Path dir;

    private static ReplicaGroup group(String name, String codecs) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse("bucket(1, id)")), SortKey.parseList("id"), 1, Codecs.parse(codecs));
    }

    /** Writes some records as a commit, and gives the codecs in the file of a group. */
    private Set<String> write(String dataset, String commit, String group) throws Exception {
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RecordAppender appender = new RecordAppender(buffer, GROUPS);
        Random random = new Random(7);
        for (int id = 0; id < 3_000; id++) {
            appender.begin();
            appender.putLong(0, id);
            appender.putDouble(1, random.nextGaussian());
            appender.end(0);
        }
        Path staging = dir.resolve(commit);
        FileSystem fs = FileSystem.getLocal(new Configuration(false)).getRaw();
        StagedRecords staged =
                new StagedRecords(fs, dataset, GROUPS, commit, new BegunCommit(staging.toString(), 10, null));
        staged.write(buffer);
        assertThat(staged.records()).isEqualTo(3_000);
        assertThat(staged.files()).hasSize(2);
        StagedFile file = staged.files().stream()
                .filter(one -> one.group().equals(group))
                .findFirst()
                .orElseThrow();
        return codecs(staging.resolve(group).resolve(file.relativePath()));
    }

    private static Set<String> codecs(Path file) throws IOException {
        Set<String> codecs = new TreeSet<>();
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            reader.getRowGroups()
                    .forEach(rows -> rows.getColumns()
                            .forEach(chunk -> codecs.add(chunk.getCodec().name())));
        }
        return codecs;
    }

    @Test
    void aCodecIsChosenForEachDataset() throws Exception {
        assertThat(write("/cals/a", "c1", "auto")).as("nothing measured yet").containsExactly("ZSTD");
        for (String column : List.of("id", "value", "id_bucket")) {
            FlushCodecs.OF_PROCESS
                    .codecs()
                    .profiles()
                    .measured(
                            "/cals/a:auto." + column,
                            List.of(
                                    new CodecProfile(Codec.parse("lz4_raw"), 1, 0.7, 1),
                                    new CodecProfile(Codec.STANDARD, 1e9, 0.7, 1)));
        }
        assertThat(write("/cals/a", "c2", "auto")).containsExactly("LZ4_RAW");
        assertThat(write("/cals/a", "c3", "plain")).as("not auto").containsExactly("ZSTD");
        assertThat(write("/cals/b", "c4", "auto"))
                .as("of another dataset nothing is known")
                .containsExactly("ZSTD");
    }
}
