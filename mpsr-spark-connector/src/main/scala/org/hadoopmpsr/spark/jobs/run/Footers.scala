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
package org.hadoopmpsr.spark.jobs.run

import scala.util.Using

import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.metadata.ParquetMetadata
import org.apache.parquet.io.InputFile
import org.hadoopmpsr.columnar.compress.ReaderOptions

/** Reads the ends of Parquet files. Safe for use by several threads. */
private[spark] object Footers {

  /** @throws RuntimeException among others, if the file is no Parquet file */
  def read(file: InputFile): ParquetMetadata = Using.resource(open(file))(_.getFooter)

  /**
   * A reader, for one thread.
   *
   * @throws RuntimeException among others, if the file is no Parquet file
   */
  def open(file: InputFile): ParquetFileReader = ParquetFileReader.open(file, ReaderOptions.ofOneReader())
}
