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
package org.hadoopmpsr.spark.stream

import scala.collection.mutable

import org.apache.hadoop.fs.Path
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.execution.streaming.runtime.FileStreamSource.SeenFilesMap
import org.hadoopmpsr.core.commit.KeptSegment
import org.hadoopmpsr.core.layout.PathNames

/**
 * The files that a stream has read. A file that a rewrite has made is new as long as the stream has read none of the files
 * that it replaces, and is not new when the stream has read them all. If it has read some, the others are [[rest]]. A rebuilt file
 * may stand for deleted ones: it is not new if the stream has read a file of the segment there that is gone. For one thread.
 *
 * @param log tells the paths of all files that the stream has read, however old; absolute, without scheme
 * @param isLimited true if the stream may read some of a segment's files in a directory in one batch, and the others later
 */
private[stream] final class SeenFiles(
    rewrites: Rewrites,
    decisions: Decisions,
    maxAgeMs: Long,
    fileNameOnly: Boolean,
    log: () => Seq[String],
    isLimited: Boolean)
    extends SeenFilesMap(maxAgeMs, fileNameOnly) {

  private val directories = mutable.HashSet.empty[String]
  private val unread = mutable.LinkedHashMap.empty[Place, Seq[ReplacedFile]]
  /** Where replaced files are read one by one in this listing. */
  private val oneByOne = mutable.HashSet.empty[Place]
  /** Where new files were taken up or passed over. */
  private val decided = mutable.HashSet.empty[Place]
  private var looked = false
  /** What the stream has read by directory, when asked for in this listing. */
  private var readIn = Option.empty[Map[String, Seq[String]]]

  /** Must be called before the stream lists files. */
  def nextListing(): Unit = {
    looked = false
    readIn = None
    oneByOne.clear()
    unread.clear()
  }

  /** Replaced files that the stream has not read, while others of the same directory and rewrite were read. */
  def rest: Seq[(SparkPath, Long)] = unread.values.flatten.toSeq.distinct.map(f => sparkPath(f) -> f.timeMs)

  override def add(path: SparkPath, timestamp: Long): Unit = {
    super.add(path, timestamp)
    directories += PathNames.parent(pathOf(path))
  }

  override def isNewFile(path: SparkPath, timestamp: Long): Boolean =
    super.isNewFile(path, timestamp) && {
      if (!looked) {
        rewrites.look()
        looked = true
      }
      isUnread(pathOf(path))
    }

  private def isUnread(file: String): Boolean =
    decisions.of(file).map(_ == Decisions.Read).getOrElse(rewrites.placeOf(file).forall(isNew(file, _))) &&
      rewrites.replacing(file).forall { place =>
        // it was replaced after it was listed
        val single = !decided(place)
        if (single) {
          oneByOne += place
        }
        single
      }

  private def isNew(file: String, place: Place): Boolean =
    if (oneByOne(place)) false
    else {
      val (read, others) = parts(place).distinct.partition(_.isRead)
      if (others.nonEmpty && read.nonEmpty) {
        unread(place) = others.map(_.file)
        false
      } else {
        decisions.decide(file, if (read.isEmpty) Decisions.Read else Decisions.Covered)
        decided += place
        read.isEmpty
      }
    }

  /** A replaced file that no known rewrite has made, or that was read. */
  private case class Part(file: ReplacedFile, isRead: Boolean)

  private def parts(place: Place): Seq[Part] = (rewrites.replacedAt(place), place.rebuilt) match {
    case (Some(files), _) => files.flatMap(parts)
    case (None, _) if !directories(place.directory) => Nil
    case (None, Some(segment)) => deleted(place, segment)
    case (None, None) if KeptSegment.isRollback(place.change) =>
      throw new IllegalStateException(s"The stream cannot tell whether it has read the records that ${place.change} has brought back in " +
        s"${place.directory}. Start the stream with a new checkpoint, or with spark.mpsr.enabled=false, which reads these records (again)")
    case (None, None) =>
      throw new IllegalStateException(s"The stream cannot tell whether it has read the records of the files of segment ${place.change} in " +
        s"${place.directory}: the segment replaced others while the stream did not run, and the replaced files are deleted. " +
        "Start the stream with a new checkpoint, or with spark.mpsr.enabled=false, which reads these records (again). " +
        "To let streams stop for longer, raise dfs.mpsr.drop.delay.seconds on the NameNode")
  }

  /** The files of a segment that the stream has read, and that are neither in their directory any more nor kept. */
  private def deleted(place: Place, segment: String): Seq[Part] = {
    val read = readIn.getOrElse(log().groupBy(PathNames.parent(_)))
    readIn = Some(read)
    val covered = decisions.covered.filter(PathNames.parent(_) == place.directory)
    val there = rewrites.namesIn(place.directory)
    val gone = (read.getOrElse(place.directory, Nil) ++ covered).filter { file =>
      val name = PathNames.name(file)
      !there(name) && rewrites.isOf(segment, name) && rewrites.replacing(file).isEmpty
    }
    if (gone.nonEmpty && isLimited) {
      throw new IllegalStateException(s"The stream cannot tell whether it has read all records of the files that ${place.change} has written " +
        s"for segment $segment in ${place.directory}: it has read ${gone.head}, which is gone, and with maxFilesPerTrigger or " +
        "maxBytesPerTrigger it may have left other deleted files for later. Start the stream with a new checkpoint, or with " +
        "spark.mpsr.enabled=false, which reads these records (again)")
    }
    gone.map(path => Part(ReplacedFile(path, 0), isRead = true))
  }

  private def parts(file: ReplacedFile): Seq[Part] =
    if (!super.isNewFile(sparkPath(file), file.timeMs)) Seq(Part(file, isRead = true))
    else decisions.of(file.path) match {
      case Some(decision) => Seq(Part(file, isRead = decision == Decisions.Covered))
      case None => rewrites.placeOf(file.path).map(parts).filter(_.nonEmpty).getOrElse(Seq(Part(file, isRead = false)))
    }

  private def sparkPath(file: ReplacedFile): SparkPath = SparkPath.fromPath(new Path(rewrites.root, file.path))

  private def pathOf(path: SparkPath): String = path.toPath.toUri.getPath
}
