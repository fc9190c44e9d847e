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
package org.hadoopmpsr.spark.jobs.survey

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.columnar.survey.SchemaSurvey
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.{Column, ColumnName, Schema}
import org.hadoopmpsr.spark.jobs.adopt.{FileForm, FilePlace}
import org.hadoopmpsr.spark.versions.OptionConverters._
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Says what becomes of a directory with files, by their places and ends.
 *
 * @param root the directory's path
 * @param groups those that the dataset has, or would have
 * @param existing the columns that the dataset has; none if there is none
 * @param wanted columns that take the place of those of the files, or come to them
 */
private[jobs] final class Survey(root: String, groups: ReplicaGroups, existing: Option[Schema], wanted: Seq[Column]) {

  def of(footers: Seq[Footer]): SurveyReport = {
    val schema = existing.orElse(proposed(footers))
    val problems = schema match {
      case None => Seq("no file has a column of a type that datasets have")
      case Some(found) => groups.of(found).problemsWith(found).asScala.toSeq
    }
    val unfit = schema.filter(_ => problems.isEmpty).fold(unread(footers))(unfitFor(footers, _))
    val left = unfit.map(_.path).toSet
    val fit = footers.filterNot(footer => left(footer.file.path))
    SurveyReport(
      root,
      schema.map(_.ddl),
      problems,
      kinds(footers),
      FileSum.of(footers),
      FileSum.of(if (problems.isEmpty) fit else Nil),
      unfit,
      groups.groups.asScala.toSeq.filter(_.name != groups.defaultName).map(group => group.name -> group.replication),
      groups.defaultGroup.replication)
  }

  private def proposed(footers: Seq[Footer]): Option[Schema] = {
    val survey = new SchemaSurvey
    footers.groupMapReduce(_.kind)(_.records)(_ + _).foreach {
      case (Right(kind), records) => survey.add(kind.schema, records)
      case _ =>
    }
    val derived = groups.defaultGroup.predicates.asScala.filterNot(_.isColumn)
    val found = survey.propose(derived.map(_.fieldName).asJava).toScala.fold(Seq.empty[Column])(_.columns.asScala.toSeq)
    val columns = found.map(column => wanted.find(other => ColumnName.areTwins(other.name, column.name)).getOrElse(column)) ++
      wanted.filterNot(column => found.exists(other => ColumnName.areTwins(other.name, column.name)))
    Option.when(columns.nonEmpty)(new Schema(columns.asJava))
  }

  private def unread(footers: Seq[Footer]): Seq[UnfitFile] = for {
    footer <- footers
    problem <- footer.kind.left.toOption
  } yield UnfitFile(footer.file.path, footer.file.length, problem)

  private def unfitFor(footers: Seq[Footer], schema: Schema): Seq[UnfitFile] = {
    val fields = groups.defaultGroup.partitionFields(schema).asScala.toSeq
    val form = new FileForm(schema, fields.map(_.name))
    val place = new FilePlace(root, fields)
    val columns = groups.physicalColumns(groups.defaultName, schema)
    val ofKinds = footers.flatMap(_.kind.toOption).distinct.map { kind =>
      val found = kind.schema
      kind -> form.problem(found, kind.writer).orElse(SchemaSurvey.problem(found, columns).toScala)
    }.toMap
    footers.flatMap { footer =>
      val problem = place.partition(footer.file.path).left.toOption
        .orElse(Option.when(footer.file.erasureCoded)(FileForm.ErasureCoded))
        .orElse(footer.kind.fold(Option(_), ofKinds(_)))
        .orElse(Option.when(footer.records == 0)("it has no records; delete it"))
      problem.map(UnfitFile(footer.file.path, footer.file.length, _))
    }
  }

  private def kinds(footers: Seq[Footer]): Seq[(String, Long)] =
    footers.flatMap(_.kind.toOption).groupMapReduce(identity)(_ => 1L)(_ + _).toSeq
      .groupMapReduce { case (kind, _) => kind.schema.toString }(_._2)(_ + _).toSeq
      .sortBy { case (schema, files) => (-files, schema) }
}
