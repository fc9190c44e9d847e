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
package org.hadoopmpsr.spark.jobs.delete

import java.time.{Instant, ZoneOffset}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{classic, AnalysisException, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, AttributeSeq, BindReferences, Expression, Literal, SubqueryExpression}
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LeafNode, LocalRelation, LogicalPlan}
import org.apache.spark.sql.mpsr.Frames
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.plan.{Filter => CoreFilter}
import org.hadoopmpsr.core.schema.{Column, ColumnName, ColumnType, DatasetColumns}
import org.hadoopmpsr.core.text.Backticks
import org.hadoopmpsr.spark.jobs.run.JobException
import org.hadoopmpsr.spark.source.{FilterTranslation, SparkTypes}
import org.hadoopmpsr.spark.versions.OptionConverters._

/**
 * Which records go: those for which a condition is true, and not those for which it is false or null.
 *
 * @param text in Spark's SQL
 * @param filter what statistics can tell of it
 * @param row the condition for the records
 */
private[jobs] final case class DeleteCondition(text: String, filter: CoreFilter, row: RowCondition)

private[jobs] object DeleteCondition {

  /** A session like another one, in which each text of a condition has one meaning. */
  def session(like: SparkSession): SparkSession = {
    val own = like.newSession()
    own.conf.set("spark.sql.timestampType", "TIMESTAMP_LTZ")
    own
  }

  /**
   * A condition on the logical columns of a dataset, under the names that are shown, in the SQL of a session.
   *
   * @throws JobException if it is not one, or its outcome depends on more than the record
   */
  def of(session: SparkSession, groups: ReplicaGroups, schema: DatasetColumns, text: String): DeleteCondition = {
    val own = DeleteCondition.session(session).asInstanceOf[classic.SparkSession]
    val columns = shown(groups, schema)
    val nothing = own.sparkContext.emptyRDD[InternalRow]
    val frame = Frames.ofRows(own, nothing, SparkTypes.structType(columns)).asInstanceOf[classic.DataFrame]
    def refused(cause: String, fix: String) = throw new JobException(s"the condition '$text' cannot be used: $cause; $fix")
    val execution =
      try frame.where(text).asInstanceOf[classic.DataFrame].queryExecution
      catch {
        case e: ParseException => refused(firstLine(e), "write it as after WHERE in Spark's SQL, such as \"signal = 'X'\"")
        case e: AnalysisException => refused(firstLine(e), s"the columns are ${ColumnName.list(columns.map(_.name).asJava)}")
      }
    execution.analyzed.collect { case Filter(condition, _) => condition }.foreach { condition =>
      if (condition.exists(_.isInstanceOf[SubqueryExpression])) {
        refused("it has a subquery", "name the values themselves, such as \"signal IN ('X', 'Y')\"")
      }
      if (!condition.deterministic) {
        refused(
          "it may have another outcome each time, and all replica groups must lose the same records",
          "leave out functions such as rand() and uuid()")
      }
    }
    val plan = execution.optimizedPlan
    val condition = conditionOf(plan)
      .getOrElse(refused(s"Spark makes ${plan.nodeName} of it", "write it with comparisons of columns and values"))
    val output = plan.collectLeaves().head.output.map(a => a.withName(schema.shown.stored(a.name)))
    val stored = condition.transform { case a: AttributeReference => output.find(_.exprId == a.exprId).getOrElse(a) }
    val used = output.filter(stored.references.contains)
    for {
      group <- groups.groups.asScala
      (column, transform) <- group.transforms.lossy.ofColumns.asScala
      if used.exists(_.name.equalsIgnoreCase(column))
    } refused(
      s"it looks at column '$column', of which group '${group.name}' has rounded values (${transform.text}), and all replica groups must" +
        " lose the same records",
      s"drop that group ('hdfs mpsr dataset alter PATH drop-group ${group.name}'), delete, and add the group again, or use other columns")
    DeleteCondition(
      text,
      new FilterTranslation(output.collect { case a: AttributeReference => a }).translate(Seq(stored)),
      RowCondition(BindReferences.bindReference(stored, AttributeSeq(used)), used.map(_.name)))
  }

  /** The logical columns that are shown, under the names that are shown. */
  private def shown(groups: ReplicaGroups, schema: DatasetColumns): Seq[Column] =
    groups.logicalColumns(schema.stored).asScala.toSeq.flatMap { c =>
      schema.shownName(c.name).toScala.map(name => new Column(name, c.`type`, c.nullable))
    }

  /** What is left of the condition when Spark has computed what is constant in it. */
  private def conditionOf(plan: LogicalPlan): Option[Expression] = plan match {
    case Filter(condition, _: LeafNode) => Some(condition)
    case nothing: LocalRelation if nothing.data.isEmpty => Some(Literal.FalseLiteral)
    case _: LeafNode => Some(Literal.TrueLiteral)
    case _ => None
  }

  private def firstLine(e: Exception): String = e.getMessage.linesIterator.map(_.trim).find(_.nonEmpty).getOrElse(e.toString)

  /**
   * The condition for records with a time before another one.
   *
   * @param column the column with the times; null for the only one of the dataset
   * @throws JobException if there is no such column
   */
  def before(groups: ReplicaGroups, schema: DatasetColumns, column: String, beforeMs: Long): String = {
    val times = shown(groups, schema).filter(c => Times.contains(c.`type`) && schema.shown.find(c.name).isPresent)
    val names = if (times.isEmpty) "none" else ColumnName.list(times.map(_.name).asJava)
    val wanted = if (column == null && times.size == 1) times.headOption else times.find(_.name.equalsIgnoreCase(column))
    val found = wanted.getOrElse(throw new JobException(
      (if (column == null) "it is not known which column has the time of a record" else s"column '$column' has no times") +
        s": the columns with times are $names; name one of them with --column"))
    val name = Backticks.around(found.name)
    val time = Instant.ofEpochMilli(beforeMs)
    found.`type` match {
      case ColumnType.DATE => s"$name < DATE '${time.atZone(ZoneOffset.UTC).toLocalDate}'"
      case ColumnType.TIMESTAMP => s"$name < TIMESTAMP '$time'"
      case ColumnType.TIMESTAMP_NTZ => s"$name < TIMESTAMP_NTZ '${time.atZone(ZoneOffset.UTC).toLocalDateTime}'"
      case _ => s"$name < ${Math.multiplyExact(beforeMs, NanosOfMs)}L"
    }
  }

  private val Times: Set[ColumnType] =
    Set(ColumnType.DATE, ColumnType.TIMESTAMP, ColumnType.TIMESTAMP_NTZ, ColumnType.TIMESTAMP_NS)
  private val NanosOfMs = 1000000L
}
