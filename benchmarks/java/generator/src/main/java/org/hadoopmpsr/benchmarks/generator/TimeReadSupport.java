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
package org.hadoopmpsr.benchmarks.generator;

import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;

/** Reads the times only. */
final class TimeReadSupport extends ReadSupport<Boolean> {

    private final LongConsumer consumer;

    TimeReadSupport(LongConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public ReadContext init(InitContext context) {
        MessageType checked = ReadingsSchema.checked(context.getFileSchema());
        return new ReadContext(new MessageType(checked.getName(), checked.getType(ReadingsSchema.TIMESTAMP_NS)));
    }

    @Override
    public RecordMaterializer<Boolean> prepareForRead(
            Configuration conf, Map<String, String> metadata, MessageType schema, ReadContext context) {
        return new Times(consumer);
    }

    @Override
    public RecordMaterializer<Boolean> prepareForRead(
            ParquetConfiguration conf, Map<String, String> metadata, MessageType schema, ReadContext context) {
        return new Times(consumer);
    }

    private static final class Times extends RecordMaterializer<Boolean> {

        private final GroupConverter root;

        Times(LongConsumer consumer) {
            PrimitiveConverter time = new PrimitiveConverter() {
                @Override
                public void addLong(long value) {
                    consumer.accept(value);
                }
            };
            root = new GroupConverter() {
                @Override
                public Converter getConverter(int field) {
                    return time;
                }

                @Override
                public void start() {}

                @Override
                public void end() {}
            };
        }

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
