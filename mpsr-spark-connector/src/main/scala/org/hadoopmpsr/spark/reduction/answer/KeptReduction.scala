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
package org.hadoopmpsr.spark.reduction.answer

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Complete, TypedImperativeAggregate}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.mpsr.Frames
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StringType, StructType}
import org.hadoopmpsr.core.answer.{AnswersFormat, FileKey}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.DecisionMetrics

/**
 * What a reduction reads.
 *
 * @param groups the replica groups of the files
 * @param files that are read, because no answer of them is kept
 * @param bytes of these
 * @param records of these
 * @param of the number of all files that the answer is made of
 */
private[spark] final case class KeptRead(groups: Seq[String], files: Int, bytes: Long, records: Long, of: Int) {
  def kept: Int = of - files

  /** For people. */
  def text: String = s"answered from the cache: $kept of $of files"
}

/**
 * Reduces each file by itself, and keeps the partial results: the next reduction of the same kind reads only the files of which it has
 * none. Every reduction is planned by the NameNode as its user, and only answers of files of that plan are used. A file is known by its
 * inode id, length and time, and a request by every argument of every expression ([[RequestText]]).
 *
 * @param told is told what is read, before it is
 */
private[reduction] final class KeptReduction(told: KeptRead => Unit) extends PrintableLogging {
  import KeptReduction._

  /**
   * A frame with the rows of a grouped reduction. Where the session keeps answers, and the records are those of planned files, the
   * rows are computed now; else the frame is the one that is given.
   *
   * @throws java.io.IOException if answers cannot be kept where the session says, with a message for the user
   */
  def of(grouped: DataFrame): DataFrame = answered(grouped)(identity).getOrElse(grouped)

  /**
   * As `of`, of a reduction to an array of structs: a row for each element, with the keys and the fields. No job of Spark makes rows of
   * what is in memory already. Empty where `of` gives the frame that it is given.
   *
   * @throws java.io.IOException as `of`
   */
  def elementsOf(grouped: DataFrame): Option[DataFrame] = answered(grouped)(ArrayElements.of)

  private def answered(grouped: DataFrame)(rows: LocalRelation => LocalRelation): Option[DataFrame] = grouped match {
    case frame: classic.DataFrame =>
      AnswerStore.of(frame.sparkSession).flatMap(answered(frame, _)).map(merged => Frames.of(frame.sparkSession, rows(merged)))
    case _ => None
  }

  /** Whatever fails here is read without answers, where it fails again if it must. */
  private def answered(frame: classic.DataFrame, store: AnswerStore): Option[LocalRelation] =
    try for {
        reduction <- GroupedReduction.of(frame.queryExecution.analyzed)
        text <- RequestText.of(reduction.child, reduction.keys :+ reduction.function)
        session = frame.sparkSession
        files <- KeptFiles.of(optimized(session, reduction), session.sessionState.conf)
        gone = files.gone(session)
        // the first line says whose files they are
        request = gone.fold("")(_.cluster) + "\n" + files.context(session.sessionState.conf) + text
        if !isTooMuch(request)
        answers <- answers(session, reduction, files, request, store)
        _ = gone.foreach(store.dropGone)
      } yield merged(reduction, answers)
    catch {
      case NonFatal(e) =>
        logWarning(s"A reduction is made without answers that are kept: $e", e)
        None
    }

  private def optimized(session: classic.SparkSession, reduction: GroupedReduction): LogicalPlan = {
    val needed = AttributeSet(reduction.keys) ++ reduction.function.references
    Frames
      .of(session, Project(reduction.child.output.filter(needed.contains), reduction.child))
      .asInstanceOf[classic.DataFrame]
      .queryExecution
      .optimizedPlan
  }

  /** The answers of all files, in an order that does not depend on what was kept. */
  private def answers(
      session: classic.SparkSession,
      reduction: GroupedReduction,
      files: KeptFiles,
      request: String,
      store: AnswerStore): Option[Seq[Array[Byte]]] = {
    val wanted = files.files.values.toSet
    val found = store.get(request, wanted)
    val kept = found.filter { case (key, _) => wanted(key) }
    val lacking = files.files.filterNot { case (_, key) => kept.contains(key) }
    val read = KeptRead(files.groups, lacking.size, lacking.values.map(_.length).sum, lacking.keys.toSeq.map(files.records).sum, files.files.size)
    logInfo(s"${read.text}; ${read.files} files (${read.bytes} bytes) are read")
    told(read)
    DecisionMetrics.countKept(read.kept)
    val made =
      if (lacking.isEmpty) Some(Map.empty[FileKey, Array[Byte]])
      else readAnswers(session, reduction, files.only(lacking.keySet), lacking, store.mostBytes)
    made match {
      case Some(more) =>
        val all = kept ++ more
        if (more.nonEmpty || found.size > kept.size) store.put(request, all) else store.used(request, all)
        Some(files.files.toSeq.sortBy(_._1).map { case (_, key) => all(key) })
      case None =>
        tooMuch(request)
        None
    }
  }

  /** @return empty if the answers are more than may be kept */
  private def readAnswers(
      session: classic.SparkSession,
      reduction: GroupedReduction,
      read: LogicalPlan,
      files: Map[String, FileKey],
      mostBytes: Long): Option[Map[FileKey, Array[Byte]]] = {
    val file = Alias(InputFileName(), "_file")()
    val partial = Alias(PartialResult(reduction.function).toAggregateExpression(), "_partial")()
    val named = reduction.keys :+ file.toAttribute
    val plan = Aggregate(named, named :+ partial, Project(read.output :+ file, read))
    val types = reduction.keys.map(_.dataType)
    val rows = Frames.of(session, plan).asInstanceOf[classic.DataFrame].queryExecution.toRdd.mapPartitions(partsOf(_, types))
    val answers = files.map { case (path, _) => path -> new FileAnswer }
    var size = 0L
    val parts = rows.toLocalIterator
    while (size <= mostBytes && parts.hasNext) {
      val (key, name, result) = parts.next()
      size += key.length + result.length
      // a record of a file that was not asked for would be an error of ours: the reduction is made without answers then
      answers(KeptFiles.path(name)).add(key, result)
    }
    if (size > mostBytes) None else Some(answers.map { case (path, answer) => files(path) -> answer.toBytes })
  }

  private def merged(reduction: GroupedReduction, answers: Seq[Array[Byte]]): LocalRelation = {
    val function = reduction.function
    val series = mutable.LinkedHashMap.empty[UnsafeRow, Any]
    if (reduction.keys.isEmpty) series += new UnsafeRow(0) -> function.createAggregationBuffer()
    answers.foreach(FileAnswer.read(_).foreach { case (key, result) =>
      val row = new UnsafeRow(reduction.keys.size)
      row.pointTo(key, key.length)
      val at = if (reduction.keys.isEmpty) series.keys.head else row
      series(at) = function.merge(series.getOrElse(at, function.createAggregationBuffer()), function.deserialize(result))
    })
    val projection = UnsafeProjection.create(reduction.output.map(_.dataType).toArray)
    val rows = series.toSeq.map { case (key, buffer) =>
      projection(new JoinedRow(key, InternalRow(function.eval(buffer)))).copy()
    }
    LocalRelation(reduction.output, rows)
  }
}

/**
 * A reduction of groups of rows.
 *
 * @param keys columns of the child
 * @param function merges partial results
 * @param output the keys and the result
 */
private[answer] final case class GroupedReduction(
    keys: Seq[Attribute],
    function: TypedImperativeAggregate[Any],
    output: Seq[Attribute],
    child: LogicalPlan)

private[answer] object GroupedReduction {

  /** Empty for what is no such reduction, or where values of keys are equal that have other bytes. */
  def of(analyzed: LogicalPlan): Option[GroupedReduction] = analyzed match {
    case a: Aggregate if a.aggregateExpressions.nonEmpty =>
      val keys = a.aggregateExpressions.init.collect { case key: Attribute => key }
      val asGrouped = keys.size == a.aggregateExpressions.size - 1 && keys.size == a.groupingExpressions.size &&
        keys.zip(a.groupingExpressions).forall { case (key, grouping) => key.semanticEquals(grouping) } &&
        keys.forall(key => isPlain(key.dataType))
      a.aggregateExpressions.last match {
        case Alias(AggregateExpression(function: TypedImperativeAggregate[_], Complete, false, None, _), _) if asGrouped =>
          Some(GroupedReduction(keys, function.asInstanceOf[TypedImperativeAggregate[Any]], a.output, a.child))
        case _ => None
      }
    case _ => None
  }

  private def isPlain(dataType: DataType): Boolean = dataType match {
    case _: StructType | _: ArrayType | _: MapType => false
    case text: StringType => text == StringType
    case _ => true
  }
}

private object KeptReduction {
  private val Remembered = 1000

  /** Names of requests whose answers are too large to keep. */
  private val large = new java.util.LinkedHashMap[String, java.lang.Boolean] {
    override protected def removeEldestEntry(eldest: java.util.Map.Entry[String, java.lang.Boolean]): Boolean = size > Remembered
  }

  private def tooMuch(request: String): Unit = large.synchronized(large.put(AnswersFormat.name(request), true))

  private def isTooMuch(request: String): Boolean = large.synchronized(large.containsKey(AnswersFormat.name(request)))

  /** Keys, files and partial results, of rows that have these. */
  private def partsOf(rows: Iterator[InternalRow], types: Seq[DataType]): Iterator[(Array[Byte], String, Array[Byte])] = {
    val keyOf = UnsafeProjection.create(types.zipWithIndex.map { case (dataType, i) => BoundReference(i, dataType, nullable = true) })
    rows.map(row => (keyOf(row).copy().getBytes, row.getUTF8String(types.size).toString, row.getBinary(types.size + 1)))
  }
}
