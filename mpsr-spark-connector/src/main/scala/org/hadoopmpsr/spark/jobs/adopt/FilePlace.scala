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
package org.hadoopmpsr.spark.jobs.adopt

import java.util.{List => JList}

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.core.layout.PartitionPath
import org.hadoopmpsr.core.schema.Column
import org.hadoopmpsr.spark.versions.OptionConverters._

/**
 * Where files of a dataset lie.
 *
 * @param root the dataset's directory
 * @param fields the default group's partition fields
 */
private[jobs] final class FilePlace(root: String, fields: Seq[Column]) {

  /** The path below the dataset's directory. */
  def relative(path: String): String = path.substring(root.length + 1)

  /** The partition tuple that the directories of a file say, or what is wrong with them. */
  def partition(path: String): Either[String, JList[AnyRef]] =
    PartitionPath.valuesAsRead(fields.asJava, path).toScala.filter(_ => relative(path).count(_ == '/') == fields.size).toRight {
      val directory = fields.map(f => s"${PartitionPath.start(f)}…").mkString("/")
      if (fields.isEmpty) "it lies in a directory below the dataset; write it to the dataset's own directory"
      else s"it does not lie in a directory of a partition; write it to $directory below the dataset"
    }
}
