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

import java.io.IOException
import java.util.UUID

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileSystem, Path}
import org.hadoopmpsr.client.{MpsrClient, PublishResult, StagedFile}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.core.commit.{CommitSource, DatasetChange}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, NameNodeStaging, Publisher}
import org.hadoopmpsr.spark.overwrite.Overwritten

/**
 * The commit of a write. The NameNode decides by the committed offsets: those of a batch are those of a topic of the stream's own, and a
 * later commit with the same batch is fenced. Other writes count their records in one topic; one that is fenced by another goes on after it.
 * One that overwrites segments has no offsets; it is fenced when a segment goes meanwhile, and looks again what there is to overwrite.
 * For one thread.
 */
private[write] final class WriteCommit(client: MpsrClient, fs: FileSystem, target: WriteTarget) {
  import WriteCommit._

  private val dataset = target.dataset
  private val batch = target.batch
  private val id = target.overwriting.fold("")(_ => DatasetChange.OVERWRITE_PREFIX) + batch.fold("spark")(b => s"spark-${b.stream}-${b.batch}") + "-" + UUID.randomUUID
  private val topic = batch.fold(Topic)(_.topic)
  private val staging = new NameNodeStaging(client, fs, dataset) {}
  private val publisher = new Publisher(staging)
  private lazy val overwritten = target.overwriting.map(new Overwritten(client, dataset, _))

  /** Whether the dataset has the batch now. */
  def isRepeated: Boolean = batch.exists(b => committedEnd.exists(_ > b.batch))

  private def committedEnd: Option[Long] =
    client.getDataset(dataset.path).offsets.asScala.find(o => o.topic == topic && o.partition == Partition).map(_.end)

  /**
   * Begins it, or says why it cannot be begun. A file that is not published tells the NameNode that the directory is in use, however long the
   * tasks compute before they write.
   */
  def begin(): Either[String, BegunChange] =
    try {
      overwritten.flatMap(_.problem).toLeft {
        val begun = staging.begin(id)
        fs.create(new Path(s"${begun.stagingDir}/${dataset.groups.defaultName}/$InUse")).close()
        begun
      }
    } catch {
      case e: IOException =>
        discard()
        Left(MpsrClient.answer(e))
    }

  /** Gives up what is not published. */
  def discard(): Unit = publisher.discard(id)

  /**
   * Publishes it.
   *
   * @param files all staged files; others are deleted
   * @param stats of these files; at least 1 record
   * @throws IOException if nobody knows whether it is published
   */
  def publish(begun: BegunChange, files: Seq[StagedFile], stats: WrittenStats): Result =
    overwritten match {
      case Some(those) => overwrite(begun, files, stats, those, 1)
      case None => append(begun, files, stats.rows, committedEnd.getOrElse(0L), 1)
    }

  @tailrec
  private def overwrite(begun: BegunChange, files: Seq[StagedFile], stats: WrittenStats, those: Overwritten, tries: Int): Result = {
    val found =
      try those.segments(stats.partitions)
      catch { case e: IOException => Left(MpsrClient.answer(e)) }
    found match {
      case Left(reason) => givenUp(reason)
      case Right(Nil) => append(begun, files, stats.rows, committedEnd.getOrElse(0L), 1)
      case Right(segments) =>
        published(begun, files)(client.overwrite(dataset.path, dataset.id, id, segments.asJava, files.asJava)) match {
          case Right(result) if result.isCommitted => Published
          case Right(result) if result.outcome == Outcome.FENCED && tries < MostTries => overwrite(begun, files, stats, those, tries + 1)
          case Right(result) => givenUp(result.reason)
          case Left(e) => givenUp(MpsrClient.answer(e))
        }
    }
  }

  @tailrec
  private def append(begun: BegunChange, files: Seq[StagedFile], rows: Long, from: Long, tries: Int): Result =
    if (batch.exists(_.batch < from)) RepeatedMeanwhile
    else {
      val source = new CommitSource(topic, Partition, from, batch.fold(from + rows)(_.batch + 1))
      published(begun, files) {
        client.publish(dataset.path, dataset.id, id, java.util.Collections.singletonList(source), files.asJava)
      } match {
        case Right(result) if result.isCommitted => Published
        case Right(result) if result.outcome == Outcome.FENCED && tries < MostTries =>
          append(begun, files, rows, endAfter(result), tries + 1)
        case Right(result) => givenUp(result.reason)
        case Left(e) => givenUp(MpsrClient.answer(e))
      }
    }

  private def published(begun: BegunChange, files: Seq[StagedFile])(call: => PublishResult): Either[IOException, PublishResult] =
    try Right(publisher.publish(begun, files)(call))
    catch { case e: IOException => Left(e) }

  private def endAfter(result: PublishResult): Long = result.offsets.asScala.headOption.fold(0L)(_.end)

  /**
   * Gives it up, unless an earlier call has published it and the answer was lost. Once nothing is staged any more, no call can publish it; and
   * the NameNode deletes nothing while a call publishes it.
   */
  private def givenUp(reason: String): Result =
    try {
      staging.abort(id)
      if (isPublished) Published else Refused(reason)
    } catch {
      case e: IOException =>
        throw new IOException(
          s"nobody knows whether commit $id is published in ${dataset.path}: $reason; then ${MpsrClient.answer(e)}; look whether files of" +
            " this name are there, and write again if not",
          e)
    }

  /** Whether the segment of the commit is there, or was before a change has replaced it. */
  private def isPublished: Boolean =
    client.segments(dataset.path).segments.asScala.exists(_.id == id) ||
      client.history(dataset.path, LastChanges).changes.asScala.exists(_.id == id)
}

private[write] object WriteCommit {

  /** Of writes that are no batches of streams; no topic of Kafka has such a name. */
  private val Topic = "spark/writes"
  private val Partition = 0
  private val InUse = "in-use"
  private val MostTries = 100
  private val LastChanges = 10000

  sealed trait Result

  /** All groups have the records. */
  case object Published extends Result

  /** Another write has published the batch. */
  case object RepeatedMeanwhile extends Result

  /** Nothing is published. */
  final case class Refused(reason: String) extends Result
}
