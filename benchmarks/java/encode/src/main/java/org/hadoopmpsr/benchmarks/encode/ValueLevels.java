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
package org.hadoopmpsr.benchmarks.encode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.benchmarks.encode.MeasuredValues.Ordered;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.transform.ValueBits;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.transform.ReadLevel;
import org.hadoopmpsr.core.transform.TransformName;
import org.hadoopmpsr.core.transform.TransformRegistry;
import org.hadoopmpsr.core.transform.TransformedColumn;

/**
 * What a column takes in files of a group that holds it in a transform, and what each level of the transform takes: the bytes of the physical columns that it
 * needs, and the CPU time of joining them. What is joined is compared with the values. A lossy transform is given rounded values, as writers do it.
 *
 * @param column of the files
 * @param codecs of the files
 */
record ValueLevels(Column column, Codecs codecs) {
    private static final String METADATA = "mpsr.transform.";

    /** The transforms that are measured; the errors of companions are parts of the deviation of the values. */
    static List<String> transforms(MeasuredValues data) {
        double[] values = data.values().values();
        double mean = DoubleStream.of(values).limit(data.count()).average().orElse(0);
        double variance = DoubleStream.of(values)
                .limit(data.count())
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElse(0);
        List<String> transforms = new ArrayList<>(List.of("decimal:2", "planes:16,16,32", "planes:16,8,8,32"));
        for (double part : new double[] {1e-2, 1e-3, 1e-4}) {
            String error = String.format(Locale.ROOT, "abs=%.2e", Math.sqrt(variance) * part);
            transforms.add("approximate:" + error);
            transforms.add("lossy:" + error);
            transforms.add("lossy:" + error + ",packed");
        }
        transforms.add("lossy:bits=9");
        return transforms;
    }

    /**
     * What one run took.
     *
     * @param bytes of the file's chunks
     * @param writeNs CPU time of writing
     * @param readNs CPU time of reading all values exactly
     */
    record Run(long bytes, long writeNs, long readNs, boolean isExact, List<Level> levels) {}

    /**
     * What a level took.
     *
     * @param joinNs CPU time of joining its columns, without decoding them
     * @param readNs CPU time of reading its columns and of joining them; 0 where the column itself is read
     * @param greatest the greatest error of a value as the level counts it, of numbers that are normal
     */
    record Level(ReadLevel of, long bytes, long joinNs, long readNs, double greatest) {}

    Run measure(MeasuredValues exact, Ordered ordered, String transform, Path path) throws IOException {
        TransformName name = TransformRegistry.written(TransformName.parse(transform), column.type());
        TransformedColumn transformed = TransformRegistry.of(name, column.type());
        long start = CpuTime.ofThread();
        MeasuredValues data = transformed.isLossy() ? rounded(exact, transformed) : exact;
        List<SortedRows> groups = new ArrayList<>();
        int from = 0;
        for (int end : ordered.files().get(0)) {
            groups.add(new SortedRows(ordered.rows(), from, end, null));
            from = end;
        }
        FileColumn held = new FileColumn(column, data.values(), () -> new int[0], false, transformed);
        try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                new LocalOutputFile(path),
                List.of(held),
                List.of(),
                codecs,
                Map.of(METADATA + column.name(), name.recorded()))) {
            for (SortedRows rows : groups) {
                out.writeRowGroup(rows);
            }
            out.finish();
        }
        long writeNs = CpuTime.ofThread() - start;
        long[] bytes = bytes(path, transformed);
        List<Level> levels = new ArrayList<>();
        for (ReadLevel level : transformed.levels()) {
            long needed =
                    level.columns().stream().mapToLong(place -> bytes[place]).sum();
            boolean isApart = level.columns().stream()
                    .noneMatch(place -> transformed.columns().get(place).isColumn());
            long readNs = isApart ? StoredReads.levelNs(column, transformed, level, path) : 0;
            levels.add(join(exact, transformed, level, needed, readNs));
        }
        long readNs = StoredReads.exactNs(column, path);
        boolean isExact = StoredValues.areThose(column, data, groups, path);
        Files.delete(path);
        return new Run(LongStream.of(bytes).sum(), writeNs, readNs, isExact, levels);
    }

    private MeasuredValues rounded(MeasuredValues data, TransformedColumn transform) {
        ColumnVector rounded = new ValueBits(column).rounded(data.values(), data.count(), transform);
        return new MeasuredValues(data.name(), data.signals(), data.times(), (DoubleVector) rounded, data.count());
    }

    private long[] bytes(Path path, TransformedColumn transformed) throws IOException {
        long[] bytes = new long[transformed.columns().size()];
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(path))) {
            for (var block : reader.getFooter().getBlocks()) {
                for (ColumnChunkMetaData chunk : block.getColumns()) {
                    for (int place = 0; place < bytes.length; place++) {
                        if (transformed
                                .columns()
                                .get(place)
                                .name(column.name())
                                .equals(chunk.getPath().toDotString())) {
                            bytes[place] += chunk.getTotalSize();
                        }
                    }
                }
            }
        }
        return bytes;
    }

    private static Level join(
            MeasuredValues data, TransformedColumn transformed, ReadLevel level, long bytes, long readNs) {
        int count = data.count();
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = Double.doubleToRawLongBits(data.values().values()[i]);
        }
        long[][] parts = new long[transformed.columns().size()][];
        for (int place : level.columns()) {
            parts[place] = new long[count];
            transformed.split(place, values, count, parts[place]);
        }
        long[] joined = new long[count];
        long start = CpuTime.ofThread();
        transformed.join(level, parts, count, joined);
        long joinNs = CpuTime.ofThread() - start;
        double greatest = 0;
        for (int i = 0; i < count; i++) {
            double value = Double.longBitsToDouble(values[i]);
            double error = Math.abs(Double.longBitsToDouble(joined[i]) - value);
            boolean isCounted = Math.abs(value) >= Double.MIN_NORMAL && !Double.isInfinite(value);
            if (isCounted) {
                greatest =
                        Math.max(greatest, level.kind() == ReadLevel.Kind.RELATIVE ? error / Math.abs(value) : error);
            }
        }
        return new Level(level, bytes, joinNs, readNs, greatest);
    }
}
