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
package org.hadoopmpsr.columnar.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.compress.AutoPages;
import org.hadoopmpsr.columnar.merge.Segments.SegmentFile;
import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.codec.CodecProfile;
import org.hadoopmpsr.core.codec.SamplingBudget;
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

/** A merge of a group with the codec auto takes what its profiles say has the fewest bytes. */
class AutoMergeTest {
    private static final Schema SCHEMA = Schema.parse("id bigint not null, text string, value double");
    private static final ReplicaGroup GROUP = new ReplicaGroup(
            "all",
            List.of(Predicate.parse("bucket(1, id)")),
            SortKey.parseList("id"),
            1,
            Codecs.parse("auto, text=gzip"));
    private static final ReplicaGroups GROUPS = new ReplicaGroups(List.of(GROUP), "all");

    @TempDir
    private Path dir;

    @Test
    void theRatioDecides() throws Exception {
        AutoCodecs codecs = new AutoCodecs(AutoCodecs.Purpose.MERGE, new SamplingBudget(Double.MIN_NORMAL), text -> {});
        profile(codecs, "all.id", "none", 0.01);
        profile(codecs, "all.value", "none", 0.99);
        Random random = new Random(11);
        List<Map<String, Object>> records = new ArrayList<>();
        for (long id = 0; id < 3_000; id++) {
            Map<String, Object> record = new HashMap<>();
            record.put("id", id);
            record.put("text", String.format(Locale.ROOT, "t%d", random.nextInt(50)));
            record.put("value", id % 17 == 0 ? null : (Object) random.nextGaussian());
            records.add(record);
        }
        Segments segments = new Segments(dir, GROUPS);
        Map<List<Object>, List<SegmentFile>> written =
                segments.split(SCHEMA, GROUP, records, new int[] {1_000, 1_700, 3_000});
        assertThat(written).hasSize(1);
        List<Object> partition = written.keySet().iterator().next();
        List<MergeInput> inputs =
                written.get(partition).stream().map(SegmentFile::input).toList();
        MergeResult merged;
        try (AutoPages pages = new AutoPages(codecs)) {
            merged = new PartitionMerge(
                            GROUPS, GROUP, SCHEMA, List.of(), new MergeLimits(1 << 20, 64 << 20, dir), pages)
                    .merge(inputs, partition, path -> new LocalOutputFile(segments.path(GROUP, path)), "merged", 0);
        }
        assertThat(merged.files()).hasSize(1);
        Path file = segments.path(GROUP, merged.files().get(0).relativePath());
        assertThat(ParquetRows.read(file)).isEqualTo(records);
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            assertThat(reader.getRowGroups().get(0).getColumns().stream()
                            .map(chunk -> chunk.getPath().toDotString() + " " + chunk.getCodec())
                            .collect(Collectors.toSet()))
                    .isEqualTo(Set.of("id UNCOMPRESSED", "text GZIP", "value ZSTD"));
        }
    }

    private static void profile(AutoCodecs codecs, String column, String other, double ratio) {
        codecs.profiles()
                .measured(
                        column,
                        List.of(
                                new CodecProfile(Codec.STANDARD, 5, 0.5, 2),
                                new CodecProfile(Codec.parse(other), 1, ratio, 1)));
    }
}
