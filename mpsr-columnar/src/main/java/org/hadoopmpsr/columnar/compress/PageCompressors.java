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

import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.hadoopmpsr.core.group.Codec;

/** Makes what compresses the pages of a file. Each is for one thread, and is released at the end. */
public final class PageCompressors {
    /** The memory that other codecs take in one piece. */
    private static final int PIECE_BYTES = 16 << 10;

    private PageCompressors() {}

    /**
     * A compressor with a codec.
     *
     * @throws IllegalArgumentException if the codec is {@code auto}
     */
    public static BytesInputCompressor of(Codec codec) {
        return switch (codec.kind()) {
            case ZSTD -> new ZstdPages(codec.level());
            case GZIP -> new GzipPages(codec.level());
            case SNAPPY -> ofParquet(CompressionCodecName.SNAPPY);
            case LZ4_RAW -> ofParquet(CompressionCodecName.LZ4_RAW);
            case NONE -> none();
            case AUTO -> throw new IllegalArgumentException("auto is no codec of pages: choose one first");
        };
    }

    /** Leaves pages as they are. */
    public static BytesInputCompressor none() {
        return new UncompressedPages();
    }

    private static BytesInputCompressor ofParquet(CompressionCodecName name) {
        Configuration conf = new Configuration(false);
        conf.setClassLoader(PageCompressors.class.getClassLoader());
        return new CodecFactory(conf, PIECE_BYTES).getCompressor(name);
    }
}
