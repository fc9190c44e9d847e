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
import java.util.HashMap;
import java.util.Map;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.hadoopmpsr.core.group.Codec;

/**
 * Compresses the pages of a column with the codec that is chosen as a chunk begins. Trials of encodings, which come before the pages, use
 * that codec, and are no pages. For one thread.
 */
public final class ChosenPages implements BytesInputCompressor {
    private final AutoPages codecs;
    private final String column;
    private final Map<Codec, BytesInputCompressor> compressors = new HashMap<>();
    private BytesInputCompressor chosen;
    private boolean isPages;
    private long lastNs;

    ChosenPages(AutoPages codecs, String column) {
        this.codecs = codecs;
        this.column = column;
        chosen = of(Codec.STANDARD);
    }

    /** Says that a chunk begins, whose encoding is tried first. Without effect on compressors whose codec does not change. */
    public static void beginChunk(BytesInputCompressor compressor) {
        if (compressor instanceof ChosenPages pages) {
            pages.isPages = false;
            pages.chosen = pages.of(pages.codecs.codec(pages.column));
            pages.lastNs = pages.codecs.cpuNs();
        }
    }

    /** Says that what comes next are the pages of the chunk. */
    public static void beginPages(BytesInputCompressor compressor) {
        if (compressor instanceof ChosenPages pages) {
            pages.isPages = true;
        }
    }

    private BytesInputCompressor of(Codec codec) {
        return compressors.computeIfAbsent(codec, PageCompressors::of);
    }

    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
        if (!isPages) {
            return chosen.compress(bytes);
        }
        long start = codecs.cpuNs();
        codecs.worked(start - lastNs);
        codecs.offer(column, bytes);
        long sampled = codecs.cpuNs();
        BytesInput compressed = chosen.compress(bytes);
        lastNs = codecs.cpuNs();
        codecs.compressed(bytes.size(), lastNs - sampled);
        return compressed;
    }

    @Override
    public CompressionCodecName getCodecName() {
        return chosen.getCodecName();
    }

    @Override
    public void release() {
        compressors.values().forEach(BytesInputCompressor::release);
    }
}
