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
package org.hadoopmpsr.columnar.compress;

import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;

/** Options of readers of Parquet files, which unpack pages by them. */
public final class ReaderOptions {
    private ReaderOptions() {}

    /**
     * Parquet's defaults, without Hadoop's configuration files, which take longer to read than the end of a file.
     *
     * @return options for one reader alone: they hold the decompressors, which two readers at a time would break, and which the first
     *     one that is closed takes with it
     */
    public static ParquetReadOptions ofOneReader() {
        return ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    }
}
