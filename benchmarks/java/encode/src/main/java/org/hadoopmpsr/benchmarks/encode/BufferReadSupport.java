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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;

/** Puts each record that is read into the sink's buffer, column by column. */
final class BufferReadSupport extends ReadSupport<Boolean> {
    private final Schema schema;
    private final RecordAppender appender;

    /** @param schema that of the appender's buffer; the file must have columns of these names */
    BufferReadSupport(Schema schema, RecordAppender appender) {
        this.schema = schema;
        this.appender = appender;
    }

    @Override
    public ReadContext init(InitContext context) {
        MessageType file = context.getFileSchema();
        List<Type> found = new ArrayList<>();
        for (Column column : schema.columns()) {
            if (!file.containsField(column.name())) {
                throw new IllegalArgumentException("the Parquet file has no column '" + column.name() + "'; it has "
                        + file.getFields() + ". It must have the dataset's columns: " + schema.ddl());
            }
            found.add(file.getType(column.name()));
        }
        return new ReadContext(new MessageType(file.getName(), found));
    }

    @Override
    public RecordMaterializer<Boolean> prepareForRead(
            Configuration conf, Map<String, String> metadata, MessageType fileSchema, ReadContext context) {
        return new Materializer();
    }

    @Override
    public RecordMaterializer<Boolean> prepareForRead(
            ParquetConfiguration conf, Map<String, String> metadata, MessageType fileSchema, ReadContext context) {
        return new Materializer();
    }

    /** A value that does not fit its column: the file is not what the dataset is for. */
    private static IllegalArgumentException bad(BadRecordException e) {
        return new IllegalArgumentException("a record of the Parquet file does not fit: " + e.getMessage(), e);
    }

    private final class Materializer extends RecordMaterializer<Boolean> {
        private final GroupConverter root = new Root();

        @Override
        public Boolean getCurrentRecord() {
            return true;
        }

        @Override
        public GroupConverter getRootConverter() {
            return root;
        }
    }

    private final class Root extends GroupConverter {
        private final Converter[] converters = new Converter[schema.columns().size()];

        Root() {
            for (int i = 0; i < converters.length; i++) {
                converters[i] = new ColumnConverter(i);
            }
        }

        @Override
        public Converter getConverter(int field) {
            return converters[field];
        }

        @Override
        public void start() {
            appender.begin();
        }

        @Override
        public void end() {
            try {
                appender.end(0);
            } catch (BadRecordException e) {
                throw bad(e);
            }
        }
    }

    private final class ColumnConverter extends PrimitiveConverter {
        private final int column;

        ColumnConverter(int column) {
            this.column = column;
        }

        @Override
        public void addBinary(Binary value) {
            try {
                byte[] utf8 = value.getBytesUnsafe();
                appender.putUtf8(column, utf8, 0, utf8.length);
            } catch (BadRecordException e) {
                throw bad(e);
            }
        }

        @Override
        public void addLong(long value) {
            try {
                appender.putLong(column, value);
            } catch (BadRecordException e) {
                throw bad(e);
            }
        }

        @Override
        public void addDouble(double value) {
            try {
                appender.putDouble(column, value);
            } catch (BadRecordException e) {
                throw bad(e);
            }
        }
    }
}
