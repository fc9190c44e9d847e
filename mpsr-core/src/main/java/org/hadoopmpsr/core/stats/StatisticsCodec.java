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
package org.hadoopmpsr.core.stats;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A file's statistics in few bytes, for the NameNode, which keeps them in memory for every file. Columns are named by
 * their place in the schema, an upper bound is written as its difference from the lower one, and the commit's id is
 * taken from the file's name. The bytes are therefore valid only for a file of that name. Sections that were added to the
 * format later stand at the end: a reader accepts bytes that end before them, and an older reader ignores them.
 * {@code docs/format.md} specifies every byte. Immutable.
 *
 * <p>Methods that read throw {@link IllegalArgumentException} where the bytes are not such statistics, and its subclass
 * {@link org.hadoopmpsr.core.format.UnknownVersionException} where their version is not known.
 */
public final class StatisticsCodec {
    private final Schema schema;
    private final List<String> names;

    /** @param schema the dataset's schema. Columns may be added at its end; statistics of older files stay readable */
    public StatisticsCodec(Schema schema) {
        this.schema = schema;
        this.names = schema.columns().stream()
                .map(c -> c.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /**
     * A file's statistics without those of columns and partitions.
     *
     * @param length the length of the file in bytes when it was published
     * @param modificationTime the modification time of the file when it was published, in milliseconds since the epoch
     * @param blocks the hash of the file's blocks when it was published; empty if it was not kept
     */
    public record Header(
            long length, long modificationTime, ContentHash content, String commitId, OptionalInt blocks) {}

    /**
     * Encodes the statistics of a file whose blocks are not known.
     *
     * @throws IllegalArgumentException if the content is not of kind {@link HashKind#SHA_256}: there are no files of
     *     another kind without blocks
     */
    public byte[] encode(String fileName, long length, long modificationTime, FileStatistics statistics) {
        return encode(fileName, length, modificationTime, OptionalInt.empty(), statistics);
    }

    /**
     * Encodes the statistics of a file. A bound that is no valid Unicode is left out.
     *
     * @param fileName the name without its directory
     * @param blocks the hash of the file's blocks
     */
    public byte[] encode(
            String fileName, long length, long modificationTime, OptionalInt blocks, FileStatistics statistics) {
        List<RowGroup> rowGroups = blocks.isPresent() ? RowGroups.kept(length, statistics) : List.of();
        boolean hasPages =
                blocks.isPresent() && PageShares.areKept(statistics.columns().values());
        boolean hasRowGroups = hasPages || !rowGroups.isEmpty();
        CompactWriter out = new CompactWriter();
        out.octet(StoredForm.FILE.version());
        out.fourBytes(fileName.hashCode());
        out.number(length);
        out.number(modificationTime);
        out.number(statistics.content().count());
        out.eightBytes(statistics.content().high());
        out.eightBytes(statistics.content().low());
        String commitId = statistics.commitId();
        if (fileName.startsWith(commitId)) {
            out.number(1L + commitId.length());
        } else {
            out.number(0);
            out.text(commitId);
        }
        out.number(statistics.columns().size());
        statistics.columns().forEach((name, column) -> {
            OptionalInt place = schema.indexOf(name);
            out.number(place.isPresent() ? 1L + place.getAsInt() : 0);
            if (place.isEmpty()) {
                out.text(name);
            }
            ColumnForm.write(out, column);
        });
        out.number(statistics.partition().size());
        for (Object value : statistics.partition()) {
            int place = value == null ? -1 : placeOfMinimum(value, statistics);
            out.number(1L + place);
            if (place < 0) {
                out.anyValue(value);
            }
        }
        ColumnForm.writeInexact(out, statistics.columns().values());
        ColumnShares.write(out, length, statistics.columns().values(), blocks.isPresent());
        ValueFilter.write(out, statistics.columns().values(), blocks.isPresent());
        blocks.ifPresent(out::fourBytes);
        writeKind(out, statistics.content().kind(), blocks.isPresent(), hasRowGroups);
        if (hasRowGroups) {
            RowGroups.write(out, rowGroups);
        }
        if (hasPages) {
            PageShares.write(out, statistics.columns().values());
        }
        return out.toByteArray();
    }

    /**
     * The position of a column whose minimum is this value, as in a partition by the column itself; -1 if there is
     * none.
     */
    private int placeOfMinimum(Object value, FileStatistics statistics) {
        for (int place = 0; place < names.size(); place++) {
            ColumnStatistics column = statistics.columns().get(names.get(place));
            if (column != null && value.equals(ColumnForm.writable(column.min()))) {
                return place;
            }
        }
        return -1;
    }

    private static void writeKind(CompactWriter out, HashKind kind, boolean hasBlocks, boolean isFollowed) {
        if (kind == HashKind.SHA_256 && !isFollowed) {
            return;
        }
        if (!hasBlocks) {
            throw new IllegalArgumentException("a content hash of kind " + kind + " needs the hash of the blocks");
        }
        out.number(kind.number());
    }

    /** The statistics of a file without those of columns and partitions; refused if they belong to another file. */
    public static Header header(String fileName, byte[] encoded) {
        CompactReader in = new CompactReader(encoded);
        FirstPart first = FirstPart.read(fileName, in);
        int columns = in.count();
        for (int rest = columns; rest > 0; rest--) {
            if (in.count() == 0) {
                in.text();
            }
            ColumnForm.read(in);
        }
        for (int rest = in.count(); rest > 0; rest--) {
            if (in.count() == 0) {
                in.anyValue();
            }
        }
        if (!in.isAtEnd()) {
            ColumnForm.skipExact(in);
        }
        if (!in.isAtEnd()) {
            ColumnShares.skip(in, columns);
        }
        if (!in.isAtEnd()) {
            ValueFilter.skip(in);
        }
        return first.header(in);
    }

    /**
     * Decodes a file's statistics.
     *
     * @param directory the absolute path of the file's directory
     */
    public DataFile file(String directory, String fileName, long fileId, byte[] encoded) {
        CompactReader in = new CompactReader(encoded);
        FirstPart first = FirstPart.read(fileName, in);
        FileStatistics statistics = statistics(first, in);
        return new DataFile(directory + "/" + fileName, fileId, first.length(), first.modificationTime(), statistics);
    }

    private FileStatistics statistics(FirstPart first, CompactReader in) {
        Map<String, ColumnStatistics> columns = new LinkedHashMap<>();
        for (int rest = in.count(); rest > 0; rest--) {
            int place = in.count();
            columns.put(place == 0 ? in.text() : name(place - 1), ColumnForm.read(in));
        }
        List<@Nullable Object> partition = new ArrayList<>();
        for (int rest = in.count(); rest > 0; rest--) {
            int place = in.count();
            partition.add(place == 0 ? in.anyValue() : minimum(columns.get(name(place - 1))));
        }
        if (!in.isAtEnd()) {
            ColumnForm.readExact(in, columns);
        }
        if (!in.isAtEnd()) {
            ColumnShares.read(in, first.length(), columns);
        }
        if (!in.isAtEnd()) {
            ValueFilter.read(in, columns);
        }
        Header header = first.header(in);
        List<RowGroup> rowGroups = RowGroups.read(in);
        if (!in.isAtEnd()) {
            PageShares.read(in, columns);
        }
        return new FileStatistics(header.commitId(), header.content(), partition, columns, rowGroups);
    }

    private String name(int place) {
        if (place >= names.size()) {
            throw new IllegalArgumentException("column " + place + " of a schema with " + names.size() + " columns");
        }
        return names.get(place);
    }

    private static Object minimum(@Nullable ColumnStatistics column) {
        if (column == null || column.min() == null) {
            throw new IllegalArgumentException("a partition value is to be the minimum of a column that has none");
        }
        return column.min();
    }
}
