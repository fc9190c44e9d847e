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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.internal.column.columnindex.BoundaryOrder;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.ColumnIndexBuilder;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;

class PageIndexesTest {
    private static final PrimitiveType TYPE =
            Types.optional(PrimitiveTypeName.INT64).named("n");

    /** @param pages the bounds of each; null for a page of nulls */
    private static boolean areSorted(long[]... pages) {
        List<Boolean> nullPages = new ArrayList<>();
        List<Long> nulls = new ArrayList<>();
        List<ByteBuffer> least = new ArrayList<>();
        List<ByteBuffer> greatest = new ArrayList<>();
        for (long[] page : pages) {
            nullPages.add(page == null);
            nulls.add(page == null ? 10L : 0L);
            least.add(page == null ? ByteBuffer.allocate(0) : bytes(page[0]));
            greatest.add(page == null ? ByteBuffer.allocate(0) : bytes(page[1]));
        }
        ColumnIndex index = ColumnIndexBuilder.build(TYPE, BoundaryOrder.ASCENDING, nullPages, nulls, least, greatest);
        return PageIndexes.areSorted(TYPE, index);
    }

    private static ByteBuffer bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    }

    private static long[] page(long min, long max) {
        return new long[] {min, max};
    }

    @Test
    void pagesFollowOneAnother() {
        assertThat(areSorted(page(-7, 3), page(3, 3), page(3, 400), page(500, 600)))
                .isTrue();
        assertThat(areSorted(null, page(1, 2), null, page(2, 5))).isTrue();
        assertThat(areSorted(page(5, 6), page(1, 2))).isFalse();
        assertThat(areSorted(page(1, 4), null, page(3, 6))).isFalse();
    }

    /** Parquet calls them ascending. */
    @Test
    void pagesWithAllValuesAreNotSorted() {
        assertThat(areSorted(page(0, 9), page(0, 9), page(0, 9))).isFalse();
        assertThat(areSorted(page(9, 9), page(9, 9))).isTrue();
    }
}
