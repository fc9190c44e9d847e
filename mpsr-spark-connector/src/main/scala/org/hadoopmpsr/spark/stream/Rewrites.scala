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

import java.io.FileNotFoundException

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.core.commit.{DatasetChange, KeptSegment}
import org.hadoopmpsr.core.layout.{PathNames, StoreLayout}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * The files of a directory that one rewrite or rebuild has made.
 *
 * @param change the rewrite or rebuild
 * @param directory the absolute path of the directory
 * @param rebuilt of a rebuild, the segment whose files these are; a rewrite makes files of one segment
 */
private[stream] final case class Place(change: String, directory: String, rebuilt: Option[String] = None)

/**
 * What rewrites and rebuilds have made of a dataset's default group, as far as the replaced files are still kept. For one thread.
 *
 * @param root the dataset directory, qualified
 */
private[stream] final class Rewrites(val root: Path, conf: Configuration) {
  private val fs = root.getFileSystem(conf)
  private val datasetPath = root.toUri.getPath
  private val known = mutable.HashMap.empty[String, Rewrites.Rewrite]
  /** The places of rewrites whose replaced files are gone, by their files. */
  private var gone = Map.empty[String, Place]
  /** The current segments when rewrites were looked for last. */
  private var current = Set.empty[String]
  private var currentIsNew = false
  private var lookedMs = Option.empty[Long]

  /** Looks again. Must be called after the stream has listed files, and before it decides on them. */
  def look(): Unit = Using.resource(MpsrClient.create(conf, root.toUri)) { client =>
    val dataset = client.getDataset(datasetPath)
    val group = dataset.representations.asScala.find(_.root == datasetPath).map(_.group)
      .getOrElse(throw new FileNotFoundException(s"$root is no longer the directory of the dataset that the stream reads"))
    val nowMs = System.nanoTime() / 1000000
    val all = dataset.changes.sequence > 0 && lookedMs.forall(nowMs - _ > Rewrites.OftenMs)
    val segments = if (all) client.segments(datasetPath).segments.asScala else Nil
    currentIsNew = all
    val rewritten = segments.filter(s => s.since > s.last).map(_.id).toSeq
    val replaced = new Path(s"${Rewrites.store(dataset)}/${StoreLayout.REPLACED}")
    val kept = if (dataset.changes.sequence > 0) Rewrites.list(fs, replaced).map(_.getPath.getName).filterNot(_.startsWith(".")) else Nil
    known.filterInPlace((change, _) => kept.contains(change))
    (kept.toSet -- known.filter(_._2.complete).keySet).foreach { change =>
      val files =
        if (DatasetChange.isOverwrite(change)) Some(Set.empty[String]) // it has made new records of nothing that was there
        else if (RebuiltNames.isRebuild(change) || KeptSegment.makesThem(change)) None
        else filesOf(client, group, change)
      val directory = new Path(replaced, s"$change/$group")
      replacedBy(directory) match {
        case Some(before) => known(change) = Rewrites.Rewrite(change, directory, files, before)
        case None if RebuiltNames.isRebuild(change) => known(change) = Rewrites.Rewrite(change, directory, None, Map.empty)
        case None => known.remove(change)
      }
    }
    if (all) {
      current = segments.map(_.id).toSet
      gone = rewritten.filterNot(id => known.contains(KeptSegment.changeOf(id))).flatMap { id =>
        filesOf(client, group, id).getOrElse(Nil).map(file => file -> Place(KeptSegment.changeOf(id), PathNames.parent(file)))
      }.toMap
    }
    lookedMs = Some(nowMs)
  }

  /** The files of a rewrite that is complete and was not replaced itself; else nobody tells. */
  private def filesOf(client: MpsrClient, group: String, change: String): Option[Set[String]] =
    try Some(client.segmentFiles(datasetPath, group, java.util.Collections.singletonList(change)).asScala.map(_.path).toSet)
    catch { case _: FileNotFoundException => None }

  /** The replaced files by the directories where they were; empty if they are no longer kept. */
  private def replacedBy(directory: Path): Option[Map[String, Seq[ReplacedFile]]] =
    try {
      val prefix = directory.toUri.getPath
      val found = fs.listFiles(directory, true)
      val files = Iterator.continually(found).takeWhile(_.hasNext).map(_.next()).map { file =>
        ReplacedFile(datasetPath + file.getPath.toUri.getPath.stripPrefix(prefix), file.getModificationTime)
      }
      Some(files.toSeq.groupBy(f => PathNames.parent(f.path)))
    } catch { case _: FileNotFoundException => None }

  /** Of a file that a rewrite has made; empty for any other file. */
  def placeOf(file: String): Option[Place] = {
    val directory = PathNames.parent(file)
    rebuilt(file, directory)
      .orElse(broughtBack(file, directory))
      .orElse(known.values.collectFirst { case r if r.made(file, directory) => Place(r.change, directory) })
      .orElse(gone.get(file))
  }

  /** A rollback may have replaced nothing, and only the name tells of it. */
  private def broughtBack(file: String, directory: String): Option[Place] = {
    val segment = segmentOf(PathNames.name(file))
    val change = KeptSegment.changeOf(segment)
    Option.when(KeptSegment.isRollback(change) && KeptSegment.isOf(segment, change))(Place(change, directory))
  }

  private def rebuilt(file: String, directory: String): Option[Place] =
    rebuildsOf(PathNames.name(file)).map { case (segment, names) =>
      val change = names.find(known.contains).getOrElse(names.last)
      // the files that it replaces may have been moved away after the last look
      known.get(change).filterNot(_.replaced.contains(directory)).foreach { before =>
        known(change) = before.copy(replaced = replacedBy(before.directory).getOrElse(Map.empty))
      }
      Place(change, directory, Some(segment))
    }

  private def rebuildsOf(name: String): Option[(String, Seq[String])] =
    if (!RebuiltNames.mayBe(name)) None
    else RebuiltNames.of(name, current).orElse(RebuiltNames.ofChanges(name, known.keys)).orElse {
      if (!currentIsNew) {
        current = Using.resource(MpsrClient.create(conf, root.toUri))(_.segments(datasetPath)).segments.asScala.map(_.id).toSet
        currentIsNew = true
      }
      RebuiltNames.of(name, current)
    }

  /** True if a file's name is that of a file of the segment, also of a rebuilt one. */
  def isOf(segment: String, name: String): Boolean = segmentOf(name) == segment

  private def segmentOf(name: String): String =
    rebuildsOf(name).map(_._1).getOrElse(name.take(math.max(0, name.lastIndexOf('-'))))

  /** The files that were replaced there; empty if there were none, or nothing tells any more. */
  def replacedAt(place: Place): Option[Seq[ReplacedFile]] =
    known.get(place.change)
      .filterNot(_ => KeptSegment.isRollback(place.change)) // what comes back is not what goes
      .flatMap(_.replaced.get(place.directory))
      .map(_.filter(file => place.rebuilt.forall(isOf(_, PathNames.name(file.path)))))
      .filter(_.nonEmpty)

  /** Where a file was replaced; empty if it was not. */
  def replacing(file: String): Option[Place] = {
    val directory = PathNames.parent(file)
    known.values.collectFirst {
      case r if r.replaced.getOrElse(directory, Nil).exists(_.path == file) =>
        Place(r.change, directory, Option.when(RebuiltNames.isRebuild(r.change))(segmentOf(PathNames.name(file))))
    }
  }

  /** The names of the files that are in a directory now. */
  def namesIn(directory: String): Set[String] = Rewrites.list(fs, new Path(directory)).map(_.getPath.getName).toSet
}

/**
 * A file that a rewrite has replaced.
 *
 * @param path where it was, absolute, without scheme
 * @param timeMs its modification time
 */
private[stream] final case class ReplacedFile(path: String, timeMs: Long)

private[stream] object Rewrites {
  /** All rewrites are looked for again after a pause of this length, in which replaced files may have been deleted. */
  private val OftenMs = 60000L

  /**
   * A rewrite.
   *
   * @param directory where the replaced files are kept
   * @param files what it has made of those that it replaced; empty if that is not known, and for a rebuild, a delete and a rollback
   * @param replaced by the directories where they were
   */
  private final case class Rewrite(
      change: String,
      directory: Path,
      files: Option[Set[String]],
      replaced: Map[String, Seq[ReplacedFile]]) {
    /** A rebuild is looked at again when a file of it is found in a directory where it has replaced nothing yet. */
    def complete: Boolean = files.isDefined || RebuiltNames.isRebuild(change)

    def made(file: String, directory: String): Boolean = !RebuiltNames.isRebuild(change) && replaced.contains(directory) &&
      files.map(_.contains(file)).getOrElse(isNamed(PathNames.name(file)))

    /**
     * The name of a file begins with the id of its segment and a hyphen; the id of a segment of a delete or of a rollback with that of the
     * change.
     */
    private def isNamed(name: String): Boolean =
      name.startsWith(change + "-") || KeptSegment.makesThem(change) && name.startsWith(change + ".")
  }

  /** The rewrites of the dataset at a path, or above it; empty if there is none. */
  def of(path: Path, conf: Configuration): Option[Rewrites] = {
    val fs = path.getFileSystem(conf)
    val qualified = fs.makeQualified(path)
    if (fs.getUri.getScheme != "hdfs") None
    else
      try
        Using.resource(MpsrClient.create(conf, fs.getUri)) { client =>
          Iterator.iterate(qualified)(_.getParent).takeWhile(p => p != null && !p.isRoot)
            .find(p => !p.toUri.getPath.exists(Wildcards.contains(_)) && isDataset(client, p.toUri.getPath))
            .map(new Rewrites(_, conf))
        }
      catch { case e: java.io.IOException if MpsrClient.isWithoutMpsr(e) => None }
  }

  private val Wildcards = "{}[]*?\\"

  private def isDataset(client: MpsrClient, path: String): Boolean =
    try client.getDataset(path) != null
    catch { case _: FileNotFoundException => false }

  /** The dataset's directory in the store. */
  private def store(dataset: Dataset): String =
    dataset.representations.asScala.map(_.root).find(_ != dataset.path).map(PathNames.parent)
      .getOrElse(s"/.mpsr/datasets/${dataset.id}")

  private def list(fs: FileSystem, directory: Path): Seq[FileStatus] =
    try fs.listStatus(directory).toSeq
    catch { case _: FileNotFoundException => Nil }
}
