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
package org.hadoopmpsr.columnar.compress;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;

class ReaderOptionsTest {

    /** A decompressor that two readers share at a time gives each the bytes of the other, or fails. */
    @Test
    void readersShareNoDecompressor() {
        var one = ReaderOptions.ofOneReader().getCodecFactory();
        var other = ReaderOptions.ofOneReader().getCodecFactory();
        assertThat(one.getDecompressor(CompressionCodecName.SNAPPY))
                .isNotSameAs(other.getDecompressor(CompressionCodecName.SNAPPY));
        one.release();
        other.release();
    }
}
