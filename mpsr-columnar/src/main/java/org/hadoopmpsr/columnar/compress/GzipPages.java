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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Compresses pages with gzip of a level, for which Parquet's own compressor has no setting of its own. For one thread. */
final class GzipPages implements BytesInputCompressor {
    private final int level;

    /** @param level from 1 to 9, or 0 for gzip's own default */
    GzipPages(int level) {
        this.level = level == 0 ? Deflater.DEFAULT_COMPRESSION : level;
    }

    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new Levelled(out, level)) {
            bytes.writeAllTo(gzip);
        }
        return BytesInput.from(out);
    }

    @Override
    public CompressionCodecName getCodecName() {
        return CompressionCodecName.GZIP;
    }

    @Override
    public void release() {
        // each page has released what it took
    }

    private static final class Levelled extends GZIPOutputStream {
        Levelled(OutputStream out, int level) throws IOException {
            super(out);
            def.setLevel(level);
        }
    }
}
