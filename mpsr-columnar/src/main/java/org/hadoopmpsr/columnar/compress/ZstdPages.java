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

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compresses pages with Zstandard. One context serves all pages of a file, and each page goes in whole, so that its
 * size is known to the compressor: for pages that is much faster than a new stream for each. For one thread.
 */
final class ZstdPages implements BytesInputCompressor {
    private final ZstdCompressCtx context;
    private byte[] out = {};

    ZstdPages(int level) {
        context = new ZstdCompressCtx().setLevel(level);
    }

    /** @return the compressed bytes, valid until the next call */
    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
        int size = Math.toIntExact(bytes.size());
        ByteBuffer buffer = bytes.toByteBuffer(); // on the heap, as everything that encoders make
        byte[] in = buffer.array();
        int bound = Math.toIntExact(Zstd.compressBound(size));
        if (out.length < bound) {
            out = new byte[bound];
        }
        int compressed =
                context.compressByteArray(out, 0, out.length, in, buffer.arrayOffset() + buffer.position(), size);
        return BytesInput.from(out, 0, compressed);
    }

    @Override
    public CompressionCodecName getCodecName() {
        return CompressionCodecName.ZSTD;
    }

    @Override
    public void release() {
        context.close();
    }
}
