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
package org.hadoopmpsr.client.calibration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.hadoopmpsr.client.calibration.Calibration.Figure;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.group.Codec;
import org.slf4j.Logger;

/**
 * Measures how fast one core of this host decompresses pages of Parquet files, for each codec of the files, and how
 * fast it decodes their values, with Parquet's own reader. The time of reading from disks does not count. Needs
 * Parquet's classes, which only {@code hdfs mpsr calibrate} has. For one thread.
 */
public final class DecodeRates {
    private static final Logger LOG = PrintableLog.of(DecodeRates.class);
    /** The minimum number of compressed bytes that show a rate. */
    private static final long ENOUGH = 64 << 10;

    private final Map<Codec.Kind, List<Double>> mbPerSecond = new EnumMap<>(Codec.Kind.class);
    private final List<Double> millionValuesPerSecond = new ArrayList<>();

    /**
     * Decompresses and decodes the first row group of the file, twice, because the first time includes compilation.
     * Measures nothing for a file that is too short, has several codecs or a codec that no replica group can have, or
     * is no readable Parquet file.
     */
    public void file(Configuration conf, FileStatus file) {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, conf), options())) {
            if (reader.getRowGroups().isEmpty()) {
                return;
            }
            BlockMetaData rowGroup = reader.getRowGroups().get(0);
            Optional<Codec.Kind> codec = codec(rowGroup);
            if (codec.isPresent() && rowGroup.getCompressedSize() >= ENOUGH) {
                decompressMs(reader);
                double decompressMs = decompressMs(reader);
                mbPerSecond
                        .computeIfAbsent(codec.get(), c -> new ArrayList<>())
                        .add(rowGroup.getCompressedSize() / 1e3 / decompressMs);
                values(reader, rowGroup, decompressMs);
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("{} is not decoded: {}", file.getPath(), e.toString());
        }
    }

    private static Optional<Codec.Kind> codec(BlockMetaData rowGroup) {
        Set<CompressionCodecName> names = new HashSet<>();
        for (ColumnChunkMetaData column : rowGroup.getColumns()) {
            names.add(column.getCodec());
        }
        return names.size() == 1 ? kind(names.iterator().next()) : Optional.empty();
    }

    private static Optional<Codec.Kind> kind(CompressionCodecName name) {
        return switch (name) {
            case ZSTD -> Optional.of(Codec.Kind.ZSTD);
            case SNAPPY -> Optional.of(Codec.Kind.SNAPPY);
            case LZ4_RAW -> Optional.of(Codec.Kind.LZ4_RAW);
            case GZIP -> Optional.of(Codec.Kind.GZIP);
            case UNCOMPRESSED -> Optional.of(Codec.Kind.NONE);
            default -> Optional.empty();
        };
    }

    private void values(ParquetFileReader reader, BlockMetaData rowGroup, double decompressMs) throws IOException {
        decodeMs(reader);
        double ms = decodeMs(reader) - decompressMs;
        long values = rowGroup.getColumns().stream()
                .mapToLong(ColumnChunkMetaData::getValueCount)
                .sum();
        if (ms > 0) {
            millionValuesPerSecond.add(values / 1e3 / ms);
        }
    }

    private static double decompressMs(ParquetFileReader reader) throws IOException {
        try (PageReadStore pages = reader.readRowGroup(0)) {
            long start = System.nanoTime();
            for (ColumnDescriptor column :
                    reader.getFooter().getFileMetaData().getSchema().getColumns()) {
                PageReader chunk = pages.getPageReader(column);
                DictionaryPage dictionary = chunk.readDictionaryPage();
                if (dictionary != null) {
                    dictionary.getBytes().toByteArray();
                }
                for (DataPage page = chunk.readPage(); page != null; page = chunk.readPage()) {
                    bytes(page).toByteArray();
                }
            }
            return Math.max(1, System.nanoTime() - start) / 1e6;
        }
    }

    private static BytesInput bytes(DataPage page) {
        return page instanceof DataPageV2 v2 ? v2.getData() : ((DataPageV1) page).getBytes();
    }

    /** The milliseconds of decoding, including decompression. */
    private static double decodeMs(ParquetFileReader reader) throws IOException {
        FileMetaData file = reader.getFooter().getFileMetaData();
        try (PageReadStore pages = reader.readRowGroup(0)) {
            long start = System.nanoTime();
            ColumnReadStoreImpl columns = new ColumnReadStoreImpl(
                    pages, new IgnoredRecord(file.getSchema()), file.getSchema(), file.getCreatedBy());
            for (ColumnDescriptor column : file.getSchema().getColumns()) {
                decode(columns.getColumnReader(column), column.getMaxDefinitionLevel());
            }
            return Math.max(1, System.nanoTime() - start) / 1e6;
        }
    }

    private static void decode(ColumnReader column, int present) {
        for (long left = column.getTotalValueCount(); left > 0; left--) {
            if (column.getCurrentDefinitionLevel() == present) {
                column.writeCurrentValueToConverter();
            }
            column.consume();
        }
    }

    /**
     * The measured rates, without codecs that no file had, and without the rate of values if no file was long enough.
     */
    public CalibratedCosts.Decoding figures() {
        Map<Codec.Kind, Figure> figures = new EnumMap<>(Codec.Kind.class);
        mbPerSecond.forEach((codec, rates) -> Figure.of(rates).ifPresent(f -> figures.put(codec, f)));
        return new CalibratedCosts.Decoding(figures, Figure.of(millionValuesPerSecond));
    }

    /** Of one reader alone: they hold decompressors. Parquet's default reads Hadoop's configuration files for each file that is opened. */
    private static ParquetReadOptions options() {
        return ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    }
}
