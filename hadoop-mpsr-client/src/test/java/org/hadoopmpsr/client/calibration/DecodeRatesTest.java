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
package org.hadoopmpsr.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.Codec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecodeRatesTest {
    private static final MessageType SCHEMA = MessageTypeParser.parseMessageType(
            "message r { required int64 time; optional double value; required binary signal (STRING);"
                    + " optional group more { repeated int32 numbers; optional boolean ok; } }");

    @TempDir
    private java.nio.file.Path dir;

    private final Configuration conf = new Configuration(false);

    private FileStatus write(CompressionCodecName codec, int rows) throws IOException {
        Path path = new Path(dir.resolve(codec + "-" + rows + ".parquet").toUri());
        Random random = new Random(7);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(path)
                .withConf(conf)
                .withType(SCHEMA)
                .withCompressionCodec(codec)
                .build()) {
            for (int i = 0; i < rows; i++) {
                Group record = new SimpleGroupFactory(SCHEMA)
                        .newGroup()
                        .append("time", i * 1_000L + random.nextInt(1_000))
                        .append("signal", "PT-" + random.nextInt(100));
                if (i % 3 > 0) {
                    record.append("value", random.nextGaussian());
                    record.addGroup("more").append("numbers", i).append("numbers", -i);
                }
                writer.write(record);
            }
        }
        return status(path);
    }

    private FileStatus status(Path path) throws IOException {
        return FileSystem.getLocal(conf).getFileStatus(path);
    }

    @Test
    void eachCodecThatFilesHaveIsMeasured() throws IOException {
        DecodeRates rates = new DecodeRates();
        rates.file(conf, write(CompressionCodecName.ZSTD, 10_000));
        rates.file(conf, write(CompressionCodecName.ZSTD, 12_000));
        rates.file(conf, write(CompressionCodecName.SNAPPY, 10_000));
        rates.file(conf, write(CompressionCodecName.LZ4_RAW, 10_000));
        rates.file(conf, write(CompressionCodecName.GZIP, 10_000));
        assertThat(rates.figures().mbPerSecond())
                .containsOnlyKeys(Codec.Kind.ZSTD, Codec.Kind.SNAPPY, Codec.Kind.LZ4_RAW, Codec.Kind.GZIP);
        assertThat(rates.figures().mbPerSecond().values())
                .allSatisfy(f -> assertThat(f.low()).isPositive().isLessThan(1e5));
        assertThat(rates.figures().mbPerSecond().get(Codec.Kind.ZSTD).count()).isEqualTo(2);

        Map<String, String> properties = CalibratedCosts.properties(new Calibration(), rates.figures());
        assertThat(properties)
                .containsOnlyKeys(
                        "dfs.mpsr.cost.decode.million.values.per.second",
                        "dfs.mpsr.cost.decompress.gzip.mb.per.second",
                        "dfs.mpsr.cost.decompress.lz4_raw.mb.per.second",
                        "dfs.mpsr.cost.decompress.snappy.mb.per.second",
                        "dfs.mpsr.cost.decompress.zstd.mb.per.second");
        MpsrConfig config = MpsrConfig.read(properties::get);
        assertThat(config.problems()).isEmpty();
        double measured = rates.figures().mbPerSecond().get(Codec.Kind.GZIP).median();
        assertThat(config.costs().decompressBytesPerMs().get(Codec.Kind.GZIP))
                .isBetween(measured * 990, measured * 1010);
        double values = rates.figures().millionValuesPerSecond().orElseThrow().median();
        assertThat(config.costs().valuesPerMs()).isBetween(values * 990, values * 1010);
        // what no file had stays as it was
        assertThat(config.costs().decompressBytesPerMs())
                .containsEntry(
                        Codec.Kind.NONE,
                        MpsrConfig.read(k -> null)
                                .costs()
                                .decompressBytesPerMs()
                                .get(Codec.Kind.NONE));
    }

    @Test
    void filesThatSayNothingArePassedOver() throws IOException {
        java.nio.file.Path text = Files.writeString(dir.resolve("text"), "no Parquet at all");
        DecodeRates rates = new DecodeRates();
        rates.file(conf, status(new Path(text.toUri())));
        rates.file(conf, write(CompressionCodecName.UNCOMPRESSED, 0));
        rates.file(conf, write(CompressionCodecName.UNCOMPRESSED, 10));
        assertThat(rates.figures().mbPerSecond()).isEmpty();
        rates.file(conf, write(CompressionCodecName.UNCOMPRESSED, 10_000));
        assertThat(rates.figures().mbPerSecond()).containsOnlyKeys(Codec.Kind.NONE);
    }
}
