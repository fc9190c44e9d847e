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
package org.hadoopmpsr.spark.write

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.command.AlterTableAddPartitionCommand
import org.apache.spark.sql.execution.datasources.{InsertIntoHadoopFsRelationCommand, PartitioningUtils}
import org.hadoopmpsr.spark.overwrite.Overwriting

/** The partitions of a table in the catalog, where the catalog keeps them. */
private[write] final class TablePartitions(session: classic.SparkSession, command: InsertIntoHadoopFsRelationCommand) {
  private val table = command.catalogTable.filter { t =>
    session.sessionState.conf.manageFilesourcePartitions && t.partitionColumnNames.nonEmpty && t.tracksPartitionsInCatalog
  }

  /** Why the table cannot have new files in the dataset's own directories. */
  def problem(overwriting: Option[Overwriting]): Option[String] = table.flatMap { t =>
    val root = qualified(command.outputPath)
    session.sessionState.catalog.listPartitions(t.identifier).collectFirst {
      case _ if overwriting.contains(Overwriting.Everything) =>
        s"it overwrites all partitions of table ${t.identifier}, which the catalog keeps"
      case p if qualified(new Path(p.location)) != root.suffix("/" + PartitioningUtils.getPathFragment(p.spec, t.partitionSchema)) =>
        s"the partition ${p.spec.map { case (k, v) => s"$k=$v" }.mkString("/")} of table ${t.identifier} lies in ${p.location}"
    }
  }

  /** Tells the catalog of the directories of new files. */
  def add(directories: Set[String]): Unit = table.filter(_ => directories.nonEmpty).foreach { t =>
    val specs = directories.toSeq.sorted.map(directory => (PartitioningUtils.parsePathFragment(directory), None))
    AlterTableAddPartitionCommand(t.identifier, specs, ifNotExists = true).run(session)
  }

  private def qualified(path: Path): Path = path.getFileSystem(session.sessionState.newHadoopConf()).makeQualified(path)
}
