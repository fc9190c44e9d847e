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

import java.io.IOException
import java.net.URI
import java.util.SplittableRandom

import scala.util.control.NonFatal

import org.apache.spark.{SparkContext, TaskContext, TaskKilledException}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.survey.TreeSurveyOptions
import org.hadoopmpsr.spark.jobs.run.{ReadBudget, SparkTasks, TaskFiles}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What the looks at samples of files found.
 *
 * @param files at the files of the first sample that could be read
 * @param places at the places of the draws that could be read
 * @param unread why others could not, with their number
 */
private[jobs] final case class Looks(files: Seq[FileLook], places: Seq[PlaceLook], unread: Map[String, Int])

/** Looks at the samples of a tree in tasks. */
private[jobs] final class FileSampling(
    context: SparkContext,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    options: TreeSurveyOptions) {
  import FileSampling._

  private val tasks = new SparkTasks(context, options.parallelism, options.bandwidth)

  /** @param progress is told the number of looks that are done, now and then */
  def of(tree: Tree, progress: Long => Unit): Looks = {
    val random = new SplittableRandom(options.seed)
    val wanted: Seq[Wanted] = tree.byNumber.map(OfFile) ++ tree.bySize.map(file => OfPlace(file, random.nextLong(file.length)))
    val parts = SparkTasks.divided(wanted, tasks.count)(_.bytes(options.chunkBytes.toLong), _ => 1)
    val work = new Work(fs, conf, tasks.bandwidthOf(parts.size), options.chunkBytes, options.codecs)
    val done = new java.util.concurrent.atomic.AtomicLong
    val found = tasks.run[Seq[Wanted], Found](
      "files could not be looked at",
      context.parallelize(parts, math.max(1, parts.size)),
      some => work.look(some.flatten),
      _ => done.incrementAndGet(),
      () => progress(done.get))
    Looks(
      found.collect { case FoundFileLook(look) => look },
      found.collect { case FoundPlaceLook(look) => look },
      found.collect { case NotFound(problem) => problem }.groupMapReduce(identity)(_ => 1)(_ + _))
  }
}

private object FileSampling {
  sealed trait Wanted extends Serializable {
    def bytes(chunk: Long): Long
  }
  final case class OfFile(file: ListedFile) extends Wanted {
    override def bytes(chunk: Long): Long = 0
  }
  final case class OfPlace(file: ListedFile, offset: Long) extends Wanted {
    override def bytes(chunk: Long): Long = math.min(chunk, file.length)
  }

  sealed trait Found extends Serializable
  final case class FoundFileLook(look: FileLook) extends Found
  final case class FoundPlaceLook(look: PlaceLook) extends Found
  final case class NotFound(problem: String) extends Found

  final class Work(fs: URI, conf: Broadcast[SerializableConfiguration], bandwidth: Long, chunkBytes: Int, tries: Boolean)
      extends Serializable {
    def look(wanted: Iterator[Wanted]): Seq[Found] = {
      val context = TaskContext.get()
      val files = new BudgetedFiles(TaskFiles.fileSystem(fs, conf.value.value), ReadBudget.ofTask(context, bandwidth))
      val looks = new FileLooks(files, new PlaceTrials(files, chunkBytes), tries)
      wanted.map(one(looks, _, context)).toVector
    }

    private def one(looks: FileLooks, wanted: Wanted, context: TaskContext): Found =
      try wanted match {
        case OfFile(file) => FoundFileLook(looks.file(file))
        case OfPlace(file, offset) => FoundPlaceLook(looks.place(file, offset))
      } catch {
        case e: TaskKilledException => throw e
        case NonFatal(_) if context.isInterrupted() => throw new TaskKilledException("the task was ended")
        case e: IOException => NotFound(e.getClass.getSimpleName) // deleted meanwhile, closed to the user, or damaged
      }
  }
}
