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
package org.hadoopmpsr.benchmarks.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.HadoopParquetConfiguration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.benchmarks.encode.CpuTime;
import org.jspecify.annotations.Nullable;

/**
 * What a query reads of a file with Parquet's own reader, which has its settings from a configuration.
 *
 * @param length of the file
 * @param records that pass
 * @param bytes that were read
 * @param jumps reads that did not go on where the one before ended, with those of the footer
 * @param cpuNs of the thread that reads, decompresses, decodes and filters
 */
record FileRead(long length, long records, long bytes, int jumps, long cpuNs) {
    /** Reads with these values of Parquet's configuration. */
    static FileRead of(Path path, List<String> columns, @Nullable FilterPredicate filter, Map<String, String> settings)
            throws IOException {
        CountedFile file = new CountedFile(path);
        Configuration conf = new Configuration(false); // Hadoop's defaults would be read for each file
        settings.forEach(conf::set);
        long records = 0;
        long start = CpuTime.ofThread();
        try (ParquetReader<Boolean> reader = new Builder(
                        file, new HadoopParquetConfiguration(conf), new Columns(columns))
                .withFilter(filter == null ? FilterCompat.NOOP : FilterCompat.get(filter))
                .build()) {
            while (reader.read() != null) {
                records++;
            }
        }
        return new FileRead(Files.size(path), records, file.bytes(), file.jumps(), CpuTime.ofThread() - start);
    }

    /** The one of both that took less CPU time: other work makes a read slower, never faster. */
    FileRead orLess(@Nullable FileRead other) {
        return other != null && other.cpuNs < cpuNs ? other : this;
    }

    private static final class Builder extends ParquetReader.Builder<Boolean> {
        private final ReadSupport<Boolean> support;

        Builder(InputFile file, ParquetConfiguration conf, ReadSupport<Boolean> support) {
            super(file, conf);
            this.support = support;
        }

        @Override
        protected ReadSupport<Boolean> getReadSupport() {
            return support;
        }
    }

    /** Decodes some columns, and keeps no value. */
    private static final class Columns extends ReadSupport<Boolean> {
        private final List<String> names;

        Columns(List<String> names) {
            this.names = names;
        }

        @Override
        public ReadContext init(InitContext context) {
            MessageType file = context.getFileSchema();
            List<Type> read = new ArrayList<>();
            names.forEach(name -> read.add(file.getType(name)));
            return new ReadContext(new MessageType(file.getName(), read));
        }

        @Override
        public RecordMaterializer<Boolean> prepareForRead(
                Configuration conf, Map<String, String> metadata, MessageType fileSchema, ReadContext context) {
            return new Nothing();
        }

        @Override
        public RecordMaterializer<Boolean> prepareForRead(
                ParquetConfiguration conf, Map<String, String> metadata, MessageType fileSchema, ReadContext context) {
            return new Nothing();
        }
    }

    private static final class Nothing extends RecordMaterializer<Boolean> {
        private final GroupConverter root = new GroupConverter() {
            private final Converter value = new PrimitiveConverter() {
                private long sum;

                @Override
                public void addBinary(Binary value) {
                    sum += value.length();
                }

                @Override
                public void addLong(long value) {
                    sum += value;
                }

                @Override
                public void addDouble(double value) {
                    sum += (long) value;
                }
            };

            @Override
            public Converter getConverter(int field) {
                return value;
            }

            @Override
            public void start() {}

            @Override
            public void end() {}
        };

        @Override
        public Boolean getCurrentRecord() {
            return true;
        }

        @Override
        public GroupConverter getRootConverter() {
            return root;
        }
    }
}
