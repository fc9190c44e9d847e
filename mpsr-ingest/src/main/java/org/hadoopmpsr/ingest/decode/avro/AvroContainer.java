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
package org.hadoopmpsr.ingest.decode.avro;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.ShownValue;
import org.xerial.snappy.Snappy;

/**
 * A message that is an Avro object container file of one record.
 *
 * @param schema the writer's schema, as JSON
 * @param record the record in Avro's binary encoding
 */
record AvroContainer(String schema, byte[] record) {
    /** The most bytes of a decompressed record. A compressed record of a few bytes may claim any length. */
    static final int MAX_RECORD_BYTES = 64 << 20;

    private static final byte[] MAGIC = {'O', 'b', 'j', 1};
    private static final int SYNC_BYTES = 16;
    private static final int CRC_BYTES = 4;
    /** More than the format of Snappy can reach. */
    private static final long SNAPPY_RATIO = 64;

    /** Reads the message; {@code in} is used for it. */
    static AvroContainer read(byte[] bytes, AvroInput in) throws BadRecordException {
        in.open(bytes, 0, bytes.length, "an Avro object container file");
        if (bytes.length < MAGIC.length || !Arrays.equals(bytes, in.skip(4), 4, MAGIC, 0, 4)) {
            throw in.bad("it does not begin with the header of one; check mpsr.avro.encoding");
        }
        Map<String, String> meta = meta(in);
        String schema = meta.get("avro.schema");
        if (schema == null) {
            throw in.bad("it has no schema");
        }
        int sync = in.skip(SYNC_BYTES);
        if (in.remaining() == 0) {
            throw records(in, "none");
        }
        long count = in.readLong();
        long size = in.readLong();
        int block = in.skip(size);
        if (!Arrays.equals(bytes, sync, sync + SYNC_BYTES, bytes, in.skip(SYNC_BYTES), in.position())) {
            throw in.bad("its block does not end with its marker");
        }
        if (count != 1 || in.remaining() > 0) {
            throw records(in, count == 0 && in.remaining() == 0 ? "none" : "more");
        }
        return new AvroContainer(
                schema, decompressed(meta.getOrDefault("avro.codec", "null"), bytes, block, (int) size, in));
    }

    private static BadRecordException records(AvroInput in, String number) {
        return in.bad("it holds not one record, but " + number + "; a message must be one record");
    }

    private static Map<String, String> meta(AvroInput in) throws BadRecordException {
        Map<String, String> meta = new HashMap<>();
        for (long count = in.readBlock(2); count > 0; count = in.readBlock(2)) {
            for (long i = 0; i < count; i++) {
                meta.put(in.readString(), in.readString());
            }
        }
        return meta;
    }

    private static byte[] decompressed(String codec, byte[] bytes, int from, int size, AvroInput in)
            throws BadRecordException {
        try {
            return switch (codec) {
                case "null" -> Arrays.copyOfRange(bytes, from, from + size);
                case "deflate" -> inflated(bytes, from, size, in);
                case "snappy" -> unsnapped(bytes, from, size, in);
                case "zstandard" -> {
                    try (InputStream stream = new ZstdInputStream(new ByteArrayInputStream(bytes, from, size))) {
                        yield bounded(stream, in);
                    }
                }
                default ->
                    throw in.bad("it is compressed with '" + ShownValue.of(codec)
                            + "'; null, deflate, snappy and zstandard can be read");
            };
        } catch (IOException e) {
            throw in.bad("its block cannot be decompressed with " + codec + ": " + e.getMessage(), e);
        }
    }

    private static byte[] inflated(byte[] bytes, int from, int size, AvroInput input)
            throws IOException, BadRecordException {
        Inflater inflater = new Inflater(true);
        try (InputStream stream = new InflaterInputStream(new ByteArrayInputStream(bytes, from, size), inflater)) {
            return bounded(stream, input);
        } finally {
            inflater.end();
        }
    }

    /** The block ends with a checksum of what it holds. */
    private static byte[] unsnapped(byte[] bytes, int from, int size, AvroInput in)
            throws IOException, BadRecordException {
        if (size < CRC_BYTES) {
            throw in.bad("its block has no checksum");
        }
        byte[] compressed = Arrays.copyOfRange(bytes, from, from + size - CRC_BYTES);
        int claimed = Snappy.uncompressedLength(compressed);
        if (claimed > MAX_RECORD_BYTES) {
            throw tooLarge(in);
        }
        if (claimed > SNAPPY_RATIO * compressed.length) {
            throw in.bad("its block claims " + claimed + " bytes, more than " + compressed.length + " can hold");
        }
        byte[] record = Snappy.uncompress(compressed);
        CRC32 crc = new CRC32();
        crc.update(record);
        int at = from + size - CRC_BYTES;
        int expected =
                bytes[at] << 24 | (bytes[at + 1] & 0xff) << 16 | (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff;
        if ((int) crc.getValue() != expected) {
            throw in.bad("the checksum of its block is wrong");
        }
        return record;
    }

    private static byte[] bounded(InputStream stream, AvroInput in) throws IOException, BadRecordException {
        byte[] record = stream.readNBytes(MAX_RECORD_BYTES + 1);
        if (record.length > MAX_RECORD_BYTES) {
            throw tooLarge(in);
        }
        return record;
    }

    private static BadRecordException tooLarge(AvroInput in) {
        return in.bad("its record takes more than " + MAX_RECORD_BYTES + " bytes when decompressed");
    }
}
