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
package org.hadoopmpsr.columnar.survey;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;
import org.hadoopmpsr.core.stats.PageBounds;

/** What the page indexes of a Parquet file tell. */
public final class PageIndexes {
    private PageIndexes() {}

    /**
     * Which share of the pages may hold a value of a column, as {@link PageBounds#share} says it.
     *
     * @param file stays open
     * @return the shares that are known, by the lower-case names of columns that are not nested
     */
    public static Map<String, Double> shares(ParquetFileReader file) throws IOException {
        Map<String, PageBounds<ByteBuffer>> pages = new HashMap<>();
        for (BlockMetaData rowGroup : file.getRowGroups()) {
            for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
                if (chunk.getPath().size() == 1) {
                    add(
                            file.readColumnIndex(chunk),
                            pages.computeIfAbsent(
                                    chunk.getPath().toDotString().toLowerCase(Locale.ROOT),
                                    name -> new PageBounds<>(order(chunk.getPrimitiveType()))));
                }
            }
        }
        Map<String, Double> shares = new HashMap<>();
        pages.forEach((name, bounds) -> {
            double share = bounds.share();
            if (share > 0) {
                shares.put(name, share);
            }
        });
        return shares;
    }

    /**
     * Whether the values of no page come before values of the page before it: the records may be sorted by the column. Pages that all
     * have the same bounds are ascending for Parquet, and are not for this, unless they have one value.
     */
    public static boolean areSorted(PrimitiveType type, ColumnIndex index) {
        Comparator<ByteBuffer> order = order(type);
        ByteBuffer last = null;
        for (int page = 0; page < index.getNullPages().size(); page++) {
            if (!index.getNullPages().get(page)) {
                if (last != null && order.compare(last, index.getMinValues().get(page)) > 0) {
                    return false;
                }
                last = index.getMaxValues().get(page);
            }
        }
        return true;
    }

    private static void add(ColumnIndex index, PageBounds<ByteBuffer> pages) {
        if (index == null) {
            pages.addUnknown();
            return;
        }
        for (int page = 0; page < index.getNullPages().size(); page++) {
            if (index.getNullPages().get(page)) {
                pages.addNulls();
            } else {
                pages.add(index.getMinValues().get(page), index.getMaxValues().get(page));
            }
        }
    }

    private static Comparator<ByteBuffer> order(PrimitiveType type) {
        return Comparator.comparing(bytes -> value(type, bytes), type.comparator());
    }

    private static Object value(PrimitiveType type, ByteBuffer bytes) {
        ByteBuffer bound = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> bound.get() != 0;
            case INT32 -> bound.getInt();
            case INT64 -> bound.getLong();
            case FLOAT -> bound.getFloat();
            case DOUBLE -> bound.getDouble();
            default -> Binary.fromConstantByteBuffer(bound);
        };
    }
}
