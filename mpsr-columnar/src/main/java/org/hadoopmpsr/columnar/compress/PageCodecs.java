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

import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.hadoopmpsr.core.group.Codec;

/** Gives the columns of files what compresses their pages. Safe for use by several threads. */
public interface PageCodecs {
    /** Takes {@link Codec#STANDARD} for {@code auto}. */
    PageCodecs STANDARD = (codec, column) -> PageCompressors.of(codec.isAuto() ? Codec.STANDARD : codec);

    /**
     * A compressor for a column of one file, for one thread; the file releases it.
     *
     * @param column a name that tells columns apart whose pages differ
     */
    BytesInputCompressor of(Codec codec, String column);
}
