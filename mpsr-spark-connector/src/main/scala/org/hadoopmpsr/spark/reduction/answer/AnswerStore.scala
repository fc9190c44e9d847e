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

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.hadoop.security.UserGroupInformation
import org.apache.spark.sql.classic
import org.hadoopmpsr.core.answer.{AnswerMemory, AnsweredFiles, FileKey}
import org.hadoopmpsr.spark.relation.ConfKeys

/**
 * The answers that a session's user has: those of this process, and those of the directory that the session names. For one reduction.
 *
 * @param mostBytes of answers in memory, and in the directory
 */
private[answer] final class AnswerStore private (val mostBytes: Long, user: String, directory: Option[AnswerDirectory]) {

  /** The answers to a request; those of a directory are looked for if memory lacks a wanted one. */
  def get(request: String, wanted: Set[FileKey]): Map[FileKey, Array[Byte]] = {
    val known = AnswerStore.memory.get(own(request)).asScala.toMap
    if (wanted.subsetOf(known.keySet)) known else directory.fold(known)(_.get(request).asScala.toMap ++ known)
  }

  /** Keeps the answers to a request in the place of all that were kept. */
  def put(request: String, answers: Map[FileKey, Array[Byte]]): Unit = {
    val all: JMap[FileKey, Array[Byte]] = answers.asJava
    remember(request, answers)
    directory.foreach(_.put(request, all))
  }

  /** Says that the answers to a request were used, and are all that is wanted. */
  def used(request: String, answers: Map[FileKey, Array[Byte]]): Unit = {
    remember(request, answers)
    directory.foreach(_.touch(request))
  }

  /**
   * Drops the answers of files that their cluster no longer has, to whatever request: soon, beside what the session does, and at most
   * once a minute, for a directory by whatever process.
   */
  def dropGone(gone: GoneFiles): Unit = {
    val of = s"${gone.cluster}\n"
    GoneLooks.soon(own(s"${directory.fold("")(_.name)}\n$of")) {
      val kept = directory
        .filter(_.beginsLook(gone.cluster, GoneLooks.BetweenMs))
        .fold(Seq.empty[(FileStatus, AnsweredFiles)])(_.answered(of))
      val files = gone.of(AnswerStore.memory.files(own(of)).asScala.toSet ++ kept.flatMap(_._2.files.asScala))
      if (files.nonEmpty) {
        AnswerStore.memory.drop(own(of), files.asJava)
        directory.foreach(_.drop(kept, files))
      }
    }
  }

  private def remember(request: String, answers: Map[FileKey, Array[Byte]]): Unit =
    AnswerStore.memory.put(own(request), answers.asJava, mostBytes)

  /** A process may run queries of several users. */
  private def own(request: String) = s"$user\n$request"
}

private[answer] object AnswerStore {
  private val memory = new AnswerMemory

  /**
   * The store of a session; empty where it keeps nothing.
   *
   * @throws java.io.IOException if the directory cannot be used, with a message for the user
   */
  def of(session: classic.SparkSession): Option[AnswerStore] = {
    val conf = session.sessionState.conf
    val most = ConfKeys.answersBytes(conf)
    if (most == 0 || !ConfKeys.enabled(conf)) None
    else {
      val directory =
        ConfKeys.answersDirectory(conf).map(path => new AnswerDirectory(new Path(path), session.sessionState.newHadoopConf(), most))
      directory.foreach(_.open())
      Some(new AnswerStore(most, UserGroupInformation.getCurrentUser.getUserName, directory))
    }
  }

  /** How many bytes the answers in memory take, for tests. */
  private[reduction] def bytes: Long = memory.bytes

  /** Forgets what this process knows, for tests. */
  private[reduction] def forget(): Unit = {
    memory.clear()
    GoneLooks.forget()
  }
}
