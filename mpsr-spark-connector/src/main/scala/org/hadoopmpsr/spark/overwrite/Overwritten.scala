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
package org.hadoopmpsr.spark.overwrite

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.{Dataset, MpsrClient, Segments}
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.spark.versions.Scala213._

/** Which records a write takes away that does not append. */
private[spark] sealed trait Overwriting

private[spark] object Overwriting {

  /** All records that were there when the write began. */
  case object Everything extends Overwriting

  /** All records of the default group's directories in which the write has records. */
  case object Partitions extends Overwriting
}

/**
 * The segments that an overwrite takes away. They go as a whole or not at all. Must be made before the rows are computed: what is committed from
 * then on stays. For one thread.
 */
private[spark] final class Overwritten(client: MpsrClient, dataset: Dataset, overwriting: Overwriting) {
  import Overwriting._

  private val begun: Long = client.getDataset(dataset.path).changes.sequence
  private val known: Set[String] = current.map(_.id).toSet

  /** Why the write cannot be one of segments, as far as it is known before its rows are. */
  val problem: Option[String] = Option.when(overwriting == Everything && !client.untracked(dataset.path).isEmpty)(
    "it overwrites files of ordinary writers that are not in all groups yet; maintenance writes them there")

  /**
   * What goes now, or why it does not go as segments.
   *
   * @param written the directories of the default group that get records, below the dataset directory
   */
  def segments(written: Set[String]): Either[String, Seq[String]] = overwriting match {
    case Everything => split(current)(isOld).map(_.map(_.id))
    case Partitions =>
      val directories = written.map(directory => if (directory.isEmpty) dataset.path else s"${dataset.path}/$directory")
      client.untracked(dataset.path).asScala.map(_.path).find(path => directories(PathNames.parent(path))) match {
        case Some(file) => Left(s"it overwrites $file, a file of an ordinary writer that is not in all groups yet")
        case None => inside(directories)
      }
  }

  private def current: Seq[Segments.Info] = client.segments(dataset.path).segments.asScala.toSeq

  /** Whether a segment was there at the beginning, or has taken the place of such ones; none if it has newer records too. */
  private def isOld(segment: Segments.Info): Option[Boolean] =
    if (known(segment.id) || begun > 0 && segment.last <= begun) Some(true)
    else if (if (begun > 0) segment.first > begun else segment.since == 0) Some(false)
    else None

  private def split(segments: Seq[Segments.Info])(goes: Segments.Info => Option[Boolean]): Either[String, Seq[Segments.Info]] =
    segments.find(goes(_).isEmpty).map(_.id)
      .map(id => s"segment $id has records that stay besides those that go; nothing in all groups can be overwritten in part")
      .toLeft(segments.filter(goes(_).contains(true)))

  private def inside(directories: Set[String]): Either[String, Seq[String]] = {
    val segments = current
    val places = client.segmentFiles(dataset.path, dataset.groups.defaultName, segments.map(_.id).asJava).asScala
      .groupMap(_.statistics.commitId)(file => PathNames.parent(file.path))
    split(segments) { segment =>
      places.getOrElse(segment.id, Nil).map(directories).distinct.toSeq match {
        case Seq(all) => Some(all)
        case Nil => Some(false)
        case _ => None
      }
    }.map(_.map(_.id))
  }
}
