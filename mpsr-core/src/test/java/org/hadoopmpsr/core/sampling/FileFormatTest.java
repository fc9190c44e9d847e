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
package org.hadoopmpsr.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FileFormatTest {
    @Test
    void formatsHaveTheirFirstBytes() {
        assertThat(of("PAR1\u0015\u0004")).isEqualTo(FileFormat.PARQUET);
        assertThat(of("ORC")).isEqualTo(FileFormat.ORC);
        assertThat(of("Obj\u0001\u0004")).isEqualTo(FileFormat.AVRO);
        assertThat(of("SEQ\u0006")).isEqualTo(FileFormat.SEQUENCE);
        assertThat(of("\u001f\u008b\b")).isEqualTo(FileFormat.GZIP);
        assertThat(of("\u0028\u00b5\u002f\u00fd")).isEqualTo(FileFormat.ZSTD);
        assertThat(of("\u0089HDF\r\n\u001a\n")).isEqualTo(FileFormat.HDF5);
        assertThat(of("")).isEqualTo(FileFormat.EMPTY);
        assertThat(FileFormat.of(new byte[] {0, 1, 2})).isEqualTo(FileFormat.OTHER);
        assertThat(of("Obj")).isEqualTo(FileFormat.TEXT);
    }

    @Test
    void textMayEndWithinACharacter() {
        byte[] text = "größe;°C\n".getBytes(StandardCharsets.UTF_8);
        for (int length = 3; length <= text.length; length++) {
            assertThat(FileFormat.of(Arrays.copyOf(text, length)))
                    .as("%d", length)
                    .isEqualTo(FileFormat.TEXT);
        }
        assertThat(FileFormat.of("  {\"a\": 1}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(FileFormat.JSON);
        assertThat(of("a\u0000b")).isEqualTo(FileFormat.OTHER);
        assertThat(of("abc\u00ff")).isEqualTo(FileFormat.OTHER);
    }

    private static FileFormat of(String bytes) {
        return FileFormat.of(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }
}
