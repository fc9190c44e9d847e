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
package org.hadoopmpsr.spark.jobs

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration

/** Reads the footers of files. */
private[jobs] object Footers {

  /** The number of records in a file by its footer, or why the footer cannot be read. */
  def of(session: SparkSession, files: Seq[Path]): Map[Path, Either[String, Long]] = {
    val conf = new SerializableConfiguration(session.sparkContext.hadoopConfiguration)
    val tasks = math.max(1, math.min(files.size / 20, 10 * session.sparkContext.defaultParallelism))
    session.sparkContext
      .parallelize(files.map(_.toUri.toString), tasks)
      .map(file => (file, records(new Path(new java.net.URI(file)), conf)))
      .collect()
      .map { case (file, result) => new Path(new java.net.URI(file)) -> result }
      .toMap
  }

  private def records(file: Path, conf: SerializableConfiguration): Either[String, Long] =
    try Right(Using.resource(ParquetFileReader.open(HadoopInputFile.fromPath(file, conf.value)))(_.getRecordCount))
    catch { case NonFatal(e) => Left(Option(e.getMessage).getOrElse(e.toString).linesIterator.next()) }
}
