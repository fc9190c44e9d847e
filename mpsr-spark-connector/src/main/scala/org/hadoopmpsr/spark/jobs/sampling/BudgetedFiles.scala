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
package org.hadoopmpsr.spark.jobs.sampling

import scala.util.Using

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.parquet.io.InputFile
import org.hadoopmpsr.spark.jobs.run.{BudgetedFile, ReadBudget}

/** Opens files in a task; what is read of them is taken from the task's budget. */
private[sampling] final class BudgetedFiles(val system: FileSystem, val budget: ReadBudget) {

  /** @throws java.io.IOException if the file is shorter, among others */
  def bytes(file: ListedFile, offset: Long, length: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    if (length > 0) {
      Using.resource(system.open(new Path(file.path)))(_.readFully(offset, bytes))
      budget.read(length)
    }
    bytes
  }

  def parquet(file: ListedFile): InputFile =
    new BudgetedFile(HadoopInputFile.fromStatus(system.getFileStatus(new Path(file.path)), system.getConf), budget)
}
