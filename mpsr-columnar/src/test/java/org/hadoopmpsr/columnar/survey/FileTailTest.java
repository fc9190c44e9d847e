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
package org.hadoopmpsr.columnar.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTailTest {
    private static final MessageType TYPE = MessageTypeParser.parseMessageType("message r { required int64 a; }");

    @TempDir
    private Path directory;

    private final List<Long> places = new ArrayList<>();

    private FileTail tail(byte[] bytes) throws IOException {
        return FileTail.read(bytes.length, (position, into) -> {
            places.add(position);
            System.arraycopy(bytes, (int) position, into, 0, into.length);
        });
    }

    private byte[] file(int records, int footer) throws IOException {
        Path path = directory.resolve(records + "-" + footer + ".parquet");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(path))
                .withConf(new PlainParquetConfiguration())
                .withType(TYPE)
                .withExtraMetaData(Map.of("text", "x".repeat(footer)))
                .build()) {
            for (long i = 0; i < records; i++) {
                Group group = new SimpleGroup(TYPE);
                group.add("a", i * 7919 * 7919);
                writer.write(group);
            }
        }
        return Files.readAllBytes(path);
    }

    private static ParquetFileReader open(FileTail tail) throws IOException {
        return ParquetFileReader.open(
                tail,
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 20_000})
    void aFooterIsReadAtOnce(int records) throws IOException {
        byte[] bytes = file(records, 10);
        try (ParquetFileReader reader = open(tail(bytes))) {
            assertThat(reader.getRecordCount()).isEqualTo(records);
            assertThat(reader.getFooter().getFileMetaData().getSchema().getFields())
                    .isEqualTo(TYPE.getFields());
        }
        assertThat(places).containsExactly(Math.max(0L, bytes.length - 65_536L));
    }

    @Test
    void aLongFooterIsReadAgain() throws IOException {
        byte[] bytes = file(100_000, 100_000);
        try (ParquetFileReader reader = open(tail(bytes))) {
            assertThat(reader.getRecordCount()).isEqualTo(100_000);
            assertThat(reader.getFooter()
                            .getFileMetaData()
                            .getKeyValueMetaData()
                            .get("text"))
                    .hasSize(100_000);
        }
        assertThat(places).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 8, 70_000})
    void whatIsNoParquetFileIsRefused(int length) throws IOException {
        byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) 0x7f);
        FileTail tail = tail(bytes);
        assertThatThrownBy(() -> open(tail))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("is not a Parquet file");
    }
}
