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

import java.io.{BufferedInputStream, FileNotFoundException, IOException}
import java.util.{Map => JMap, UUID}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.apache.hadoop.fs.permission.{FsAction, FsPermission}
import org.apache.hadoop.security.UserGroupInformation
import org.hadoopmpsr.core.answer.{AnsweredFiles, AnswersFormat, FileKey}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.OptionConverters._

/**
 * A directory of one user with answers, a file for each request. Nobody else may read or write it: answers tell of records, and are
 * believed. What is in it may be deleted at any time. Several processes may use it.
 *
 * @param mostBytes that the files may have; those that were used longest ago are deleted first
 */
private[answer] final class AnswerDirectory(path: Path, conf: Configuration, mostBytes: Long) extends PrintableLogging {
  import AnswerDirectory._

  private val fs = path.getFileSystem(conf)

  /**
   * Makes the directory where there is none.
   *
   * @throws IOException if it cannot be used, or others may use it, with a message for the user
   */
  def open(): Unit = {
    // the umask of the process must not decide
    if (!fs.exists(path) && fs.mkdirs(path, Private)) fs.setPermission(path, Private)
    val status = fs.getFileStatus(path)
    val user = UserGroupInformation.getCurrentUser.getShortUserName
    def refused(problem: String) =
      throw new IOException(s"answers cannot be kept in $path: $problem; name a directory of your own (mode 700), or one that does not exist")
    if (!status.isDirectory) refused("it is a file")
    if (status.getOwner != user) refused(s"it belongs to ${status.getOwner}, and you are $user")
    val mode = status.getPermission
    if (mode.getGroupAction != FsAction.NONE || mode.getOtherAction != FsAction.NONE) refused(s"its mode is $mode, so that others may use it")
  }

  private def file(request: String) = new Path(path, AnswersFormat.name(request) + Suffix)

  /** The answers to a request; none if there are none that can be read. */
  def get(request: String): JMap[FileKey, Array[Byte]] =
    try {
      val status = fs.getFileStatus(file(request))
      if (status.getLen > mostBytes) JMap.of()
      else {
        val bytes = new Array[Byte](status.getLen.toInt)
        Using.resource(fs.open(status.getPath))(_.readFully(0, bytes))
        AnswersFormat.read(request, bytes).toScala.getOrElse(JMap.of())
      }
    } catch {
      case _: FileNotFoundException => JMap.of()
      case e: IOException =>
        logWarning(s"Answers in $path cannot be read, and are made again: $e")
        JMap.of()
    }

  /** Says that the answers to a request were used. */
  def touch(request: String): Unit = quietly(fs.setTimes(file(request), System.currentTimeMillis(), -1))

  /** Keeps the answers to a request in the place of those that were kept of it, and deletes what is too much or too old. */
  def put(request: String, answers: JMap[FileKey, Array[Byte]]): Unit = quietly {
    if (AnswersFormat.size(request, answers) <= Math.min(mostBytes, MostOfFile)) {
      write(request, answers)
    } else fs.delete(file(request), false)
    tidy()
  }

  private def write(request: String, answers: JMap[FileKey, Array[Byte]]): Unit = {
    val whole = new Path(path, s".${UUID.randomUUID}$Temporary")
    try {
      Using.resource(fs.create(whole, true))(_.write(AnswersFormat.write(request, answers)))
      // a file system without a rename that replaces loses answers, and nothing else
      fs.delete(file(request), false)
      fs.rename(whole, file(request))
    } finally fs.delete(whole, false)
  }

  /** Of the directory, in whatever file system. */
  def name: String = fs.makeQualified(path).toString

  /**
   * Whether no process has looked for the files of a cluster since a time. If so, this one does, and the others see that it has begun.
   * An empty file for each cluster tells it.
   */
  def beginsLook(cluster: String, sinceMs: Long): Boolean = {
    val mark = new Path(path, s".${AnswersFormat.name(cluster)}$Looked")
    val now = System.currentTimeMillis()
    try {
      // a clock may have been set back
      val due = Math.abs(now - fs.getFileStatus(mark).getModificationTime) >= sinceMs
      if (due) fs.setTimes(mark, now, -1)
      due
    } catch {
      case _: FileNotFoundException =>
        fs.create(mark, true).close()
        true
    }
  }

  /** The answers to requests that begin with a text: the files that they are of. */
  def answered(beginning: String): Seq[(FileStatus, AnsweredFiles)] =
    try own(fs).filter(_.getPath.getName.endsWith(Suffix)).flatMap(status => answered(status).filter(_.request.startsWith(beginning)).map(status -> _))
    catch {
      case e: IOException =>
        logWarning(s"Answers in $path cannot be listed: $e")
        Nil
    }

  /** Empty for what is of another version, broken or gone: it is never used, and gets old. */
  private def answered(status: FileStatus): Option[AnsweredFiles] =
    try Using.resource(new BufferedInputStream(fs.open(status.getPath)))(AnswersFormat.files(_).toScala)
    catch { case _: IOException => None }

  /** Drops the answers of some files. When the others were used is as before. */
  def drop(answered: Seq[(FileStatus, AnsweredFiles)], gone: Set[FileKey]): Unit =
    for ((status, of) <- answered if of.files.asScala.exists(gone)) quietly {
      val left = get(of.request).asScala.filter { case (key, _) => !gone(key) }.asJava
      if (left.isEmpty) fs.delete(status.getPath, false)
      else {
        write(of.request, left)
        fs.setTimes(status.getPath, status.getModificationTime, -1)
      }
    }

  private def tidy(): Unit = {
    val now = System.currentTimeMillis()
    val (old, files) = own(fs).partition(status => now - status.getModificationTime > MostAgeMs)
    val byUse = files.sortBy(-_.getModificationTime)
    val upTo = byUse.scanLeft(0L)(_ + _.getLen).drop(1)
    val tooMuch = byUse.zip(upTo).collect { case (status, bytes) if bytes > mostBytes => status }
    (old ++ tooMuch).foreach(status => fs.delete(status.getPath, false))
  }

  private def own(fs: FileSystem): Seq[FileStatus] = fs.listStatus(path).toSeq.filter { status =>
    val name = status.getPath.getName
    status.isFile && (name.endsWith(Suffix) || name.endsWith(Temporary))
  }

  /** Answers that cannot be kept are made again. */
  private def quietly(body: => Unit): Unit =
    try body
    catch { case e: IOException => logWarning(s"Answers cannot be kept in $path: $e") }
}

private[answer] object AnswerDirectory {
  private val Private = new FsPermission(Integer.parseInt("700", 8).toShort)
  private val Suffix = ".answers"
  private val Temporary = ".answers.new"
  private val Looked = ".looked"
  private val MostOfFile = Integer.MAX_VALUE.toLong / 2

  /** Answers that nobody has used for so long are deleted, also those of records that were deleted since. */
  private val MostAgeMs = 7L * 86400 * 1000
}
