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

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What kind of file one is, told by its first bytes, whatever its name is. */
public enum FileFormat {
    /** A file without bytes. */
    EMPTY("empty"),
    PARQUET("Parquet", "PAR1"),
    /** Parquet whose footer is encrypted. */
    PARQUET_ENCRYPTED("Parquet, encrypted", "PARE"),
    ORC("ORC", "ORC"),
    AVRO("Avro", "Obj\1"),
    SEQUENCE("SequenceFile", "SEQ"),
    HDF5("HDF5", "\211HDF\r\n\32\n"),
    NETCDF("netCDF", "CDF"),
    ROOT("ROOT", "root"),
    FITS("FITS", "SIMPLE  ="),
    GRIB("GRIB", "GRIB"),
    GZIP("gzip", "\37\213"),
    ZSTD("zstd", "(\265/\375"),
    BZIP2("bzip2", "BZh"),
    XZ("xz", "\3757zXZ\0"),
    LZ4("lz4", "\4\"M\30"),
    SNAPPY("snappy", "\377\6\0\0sNaPpY"),
    ZIP("zip", "PK\3\4"),
    /** Text in UTF-8 that begins as a JSON object or array does. */
    JSON("JSON"),
    /** Other text in UTF-8. */
    TEXT("text"),
    /** Bytes that are none of the others. */
    OTHER("other");

    /** How many bytes at the begin of a file tell the format. */
    public static final int HEAD = 512;

    private final String shown;
    private final byte[] magic;

    FileFormat(String shown) {
        this(shown, "");
    }

    FileFormat(String shown, String magic) {
        this.shown = shown;
        this.magic = magic.getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * The format of a file.
     *
     * @param head its first {@link #HEAD} bytes, or all bytes of a shorter file
     */
    public static FileFormat of(byte[] head) {
        if (head.length == 0) {
            return EMPTY;
        }
        for (FileFormat format : values()) {
            if (format.magic.length > 0
                    && head.length >= format.magic.length
                    && Arrays.equals(head, 0, format.magic.length, format.magic, 0, format.magic.length)) {
                return format;
            }
        }
        return ofText(head);
    }

    /** The bytes may end within a character. */
    private static FileFormat ofText(byte[] head) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(head.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(head), text, false);
        text.flip();
        if (result.isError() || !text.hasRemaining() || text.chars().anyMatch(c -> c < ' ' && "\t\n\r\f".indexOf(c) < 0)) {
            return OTHER;
        }
        String start = text.toString().stripLeading();
        return start.startsWith("{") || start.startsWith("[") ? JSON : TEXT;
    }

    /** Whether the bytes are those of a compressed stream as a whole. */
    public boolean isCompressed() {
        return switch (this) {
            case GZIP, ZSTD, BZIP2, XZ, LZ4, SNAPPY, ZIP -> true;
            default -> false;
        };
    }

    /** For people. */
    @Override
    public String toString() {
        return shown;
    }
}
