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
package org.hadoopmpsr.core.group;

import java.util.List;
import java.util.Locale;

/**
 * A compression codec with its level, such as {@code zstd:3} or {@code gzip:9}; level 0 means the codec's own default. {@code auto} stands for one
 * that is chosen anew for each column chunk.
 */
public record Codec(Kind kind, int level) {
    /** The codec of groups that name none, and of columns with {@code auto} as long as nothing was measured. */
    public static final Codec STANDARD = new Codec(Kind.ZSTD, 3);

    /** The codecs that Parquet names, and {@code auto}. */
    public enum Kind {
        ZSTD(22),
        SNAPPY(0),
        LZ4_RAW(0),
        GZIP(9),
        NONE(0),
        AUTO(0);

        /** Those that files may have. */
        public static final List<Kind> OF_FILES = List.of(ZSTD, SNAPPY, LZ4_RAW, GZIP, NONE);

        private final int greatestLevel;

        Kind(int greatestLevel) {
            this.greatestLevel = greatestLevel;
        }

        /** The one by which plans count the time of reading: that of zstd for {@code auto}, which takes nothing that is read slower. */
        public Kind planned() {
            return this == AUTO ? ZSTD : this;
        }
    }

    /**
     * Reads a codec.
     *
     * @throws IllegalArgumentException if the text names no codec; the message lists the codecs
     */
    public static Codec parse(String text) {
        String[] parts = text.trim().split(":", -1);
        try {
            Kind kind = Kind.valueOf(parts[0].trim().toUpperCase(Locale.ROOT));
            int level = parts.length == 1 ? (kind == Kind.ZSTD ? 3 : 0) : Integer.parseInt(parts[1].trim());
            boolean levelled = parts.length == 1 || level >= 1 && level <= kind.greatestLevel;
            if (parts.length <= 2 && levelled) {
                return new Codec(kind, level);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(problem(text), e);
        }
        throw new IllegalArgumentException(problem(text));
    }

    private static String problem(String text) {
        return "unknown codec '" + text.trim() + "'; use zstd, zstd:<1-22>, snappy, lz4_raw, gzip,"
                + " gzip:<1-9>, none or auto";
    }

    /** Whether who writes a file chooses the codec. */
    public boolean isAuto() {
        return kind == Kind.AUTO;
    }

    /** The codec as text; {@link #parse} reads it back. */
    public String text() {
        return kind.name().toLowerCase(Locale.ROOT) + (level > 0 ? ":" + level : "");
    }
}
