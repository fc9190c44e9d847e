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
package org.hadoopmpsr.columnar.parquet;

import java.util.List;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.schema.PrimitiveComparator;
import org.hadoopmpsr.core.stats.RowGroup;

/** Where the row groups of a file lie, if the values of its first sort column tell which row group a record is in. */
public final class RowGroupPlaces {
    private RowGroupPlaces() {}

    /**
     * The row groups in the order of the file; none if two of them may have records with one value of a column, or if the
     * values of a row group do not all come after those of the one before. Null comes before all values.
     *
     * @param lead the place of the column; -1 if there is none
     */
    static List<RowGroup> of(List<BlockMetaData> blocks, int lead) {
        for (int i = 1; i < blocks.size(); i++) {
            if (lead < 0 || !isApart(statistics(blocks.get(i - 1), lead), statistics(blocks.get(i), lead))) {
                return List.of();
            }
        }
        return of(blocks);
    }

    /** The row groups in the order of the file, whatever their values are. */
    public static List<RowGroup> of(List<BlockMetaData> blocks) {
        return blocks.stream()
                .map(block -> new RowGroup(block.getStartingPos() + block.getCompressedSize() / 2, block.getRowCount()))
                .toList();
    }

    private static Statistics<?> statistics(BlockMetaData block, int column) {
        return block.getColumns().get(column).getStatistics();
    }

    private static boolean isApart(Statistics<?> before, Statistics<?> after) {
        if (!after.isNumNullsSet() || after.getNumNulls() != 0 || !after.hasNonNullValue()) {
            return false;
        }
        PrimitiveComparator<Object> order = after.type().comparator();
        return before.hasNonNullValue()
                ? order.compare(before.genericGetMax(), after.genericGetMin()) < 0
                : before.getNumNulls() > 0;
    }
}
