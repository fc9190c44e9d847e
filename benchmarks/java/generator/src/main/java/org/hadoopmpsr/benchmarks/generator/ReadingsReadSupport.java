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
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;

/** Reads records straight into the columns of {@link Readings}. */
final class ReadingsReadSupport extends ReadSupport<Boolean> {

    private final Readings target;

    ReadingsReadSupport(Readings target) {
        this.target = target;
    }

    @Override
    public ReadContext init(InitContext context) {
        return new ReadContext(ReadingsSchema.checked(context.getFileSchema()));
    }

    @Override
    public RecordMaterializer<Boolean> prepareForRead(
            Configuration conf, Map<String, String> metadata, MessageType schema, ReadContext context) {
        return new ReadingsMaterializer(target);
    }

    @Override
    public RecordMaterializer<Boolean> prepareForRead(
            ParquetConfiguration conf, Map<String, String> metadata, MessageType schema, ReadContext context) {
        return new ReadingsMaterializer(target);
    }
}
