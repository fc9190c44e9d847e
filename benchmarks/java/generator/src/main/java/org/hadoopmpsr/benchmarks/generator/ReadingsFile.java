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

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.Operators.LongColumn;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;

/** A Parquet file with the columns {@code signal, device, system, timestamp_ns, value}. */
public final class ReadingsFile {

    private final Path path;

    ReadingsFile(Path path) {
        this.path = path;
    }

    /**
     * Gives every reading's time, in nanoseconds since the epoch, to the consumer, in the file's order.
     *
     * @throws IllegalArgumentException if a column is missing or of another type; the message says which
     */
    void forEachTime(LongConsumer consumer) throws IOException {
        readAll(new TimeReadSupport(consumer), FilterCompat.NOOP);
    }

    /** Reads the readings within the window, in the file's order. */
    Readings read(TimeWindow window) throws IOException {
        LongColumn time = FilterApi.longColumn("timestamp_ns");
        FilterCompat.Filter filter = FilterCompat.get(
                FilterApi.and(FilterApi.gtEq(time, window.firstNs()), FilterApi.ltEq(time, window.lastNs())));
        Readings readings = new Readings();
        readAll(new ReadingsReadSupport(readings), filter);
        return readings;
    }

    private void readAll(ReadSupport<Boolean> support, FilterCompat.Filter filter) throws IOException {
        try (ParquetReader<Boolean> reader = reader(path, support, filter)) {
            while (reader.read() != null) {
                // The read support has taken the record.
            }
        }
    }

    /** Reads a local file without any configuration of Hadoop's. */
    public static ParquetReader<Boolean> reader(Path path, ReadSupport<Boolean> support, FilterCompat.Filter filter)
            throws IOException {
        return new Builder(new LocalInputFile(path), support).withFilter(filter).build();
    }

    private static final class Builder extends ParquetReader.Builder<Boolean> {

        private final ReadSupport<Boolean> support;

        Builder(InputFile file, ReadSupport<Boolean> support) {
            super(file, new PlainParquetConfiguration());
            this.support = support;
        }

        @Override
        protected ReadSupport<Boolean> getReadSupport() {
            return support;
        }
    }
}
