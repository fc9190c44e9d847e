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

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputDecompressor;
import org.apache.parquet.hadoop.CodecFactory;
import org.hadoopmpsr.core.codec.CodecProfile;
import org.hadoopmpsr.core.group.Codec;

/** Compresses the middle of a page with several codecs, and decompresses it as Parquet's readers do. For one thread at a time. */
final class CodecSampler implements AutoCloseable {
    /** The greatest part of a page that is sampled. Ordinary pages are sampled whole: codecs take other tables, and other times, for fewer bytes. */
    static final int MOST_BYTES = 256 << 10;

    /** What a codec compresses before it is measured: its tables and its code are in no cache after a while without use. */
    private static final int WARM_BYTES = 16 << 10;

    private final List<Codec> tried;
    private final LongSupplier cpuNs;
    private final Map<Codec, BytesInputCompressor> compressors = new LinkedHashMap<>();
    private final CodecFactory factory;

    /** @param cpuNs the CPU time of the calling thread, in nanoseconds */
    CodecSampler(List<Codec> tried, LongSupplier cpuNs) {
        this.tried = tried;
        this.cpuNs = cpuNs;
        Configuration conf = new Configuration(false);
        conf.setClassLoader(CodecSampler.class.getClassLoader());
        factory = new CodecFactory(conf, MOST_BYTES);
    }

    /** @param page is not used up */
    List<CodecProfile> sample(BytesInput page) throws IOException {
        byte[] all = page.toByteArray();
        int length = Math.min(all.length, MOST_BYTES);
        BytesInput part = BytesInput.from(all, (all.length - length) / 2, length);
        List<CodecProfile> found = new ArrayList<>();
        for (Codec codec : tried) {
            BytesInputCompressor compressor = compressors.computeIfAbsent(codec, PageCompressors::of);
            compressor.compress(BytesInput.from(all, 0, Math.min(length, WARM_BYTES)));
            long start = cpuNs.getAsLong();
            BytesInput packed = compressor.compress(part);
            long between = cpuNs.getAsLong();
            byte[] compressed = packed.toByteArray();
            BytesInputDecompressor decompressor = factory.getDecompressor(compressor.getCodecName());
            long before = cpuNs.getAsLong();
            decompressor.decompress(BytesInput.from(compressed), length).toByteArray();
            long end = cpuNs.getAsLong();
            found.add(new CodecProfile(
                    codec,
                    (double) (between - start) / length,
                    (double) compressed.length / length,
                    (double) (end - before) / length));
        }
        return found;
    }

    @Override
    public void close() {
        compressors.values().forEach(BytesInputCompressor::release);
        compressors.clear();
        factory.release();
    }
}
