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

import java.util.{ArrayDeque, Collections}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.apache.hadoop.security.AccessControlException
import org.hadoopmpsr.core.sampling.{SizeSample, UniformSample}

/**
 * A file that was listed.
 *
 * @param path absolute, without scheme
 * @param length in bytes
 */
private[jobs] final case class ListedFile(path: String, length: Long) {

  /** Whether readers of tables leave it out, by its name. */
  def isHidden: Boolean = {
    val name = path.substring(path.lastIndexOf('/') + 1)
    name.startsWith("_") || name.startsWith(".")
  }
}

/** Files and bytes of some kind. */
private[jobs] final case class Amount(files: Long, bytes: Long) {
  def +(length: Long): Amount = Amount(files + 1, bytes + length)
}

/**
 * What listing says of all files of some directory trees, and the samples of them.
 *
 * @param all the files
 * @param stored bytes of all copies
 * @param sizes for each power of two of bytes, the files that are at least as long and shorter than the next; 0 for empty files
 * @param directories the files that readers see, in each directory without its partitions such as `day=2024-01-01`; the most bytes first
 * @param closed directories that the user may not read
 * @param byNumber a simple random sample
 * @param bySize draws with replacement, with chances as the files' sizes
 */
private[jobs] final case class Tree(
    all: Amount,
    stored: Long,
    sizes: Map[Int, Amount],
    directories: Seq[(String, Amount)],
    closed: Seq[String],
    byNumber: Seq[ListedFile],
    bySize: Seq[ListedFile])

private[jobs] object Tree {

  /** More directories than this are not told apart; their files count for all else. */
  private val MostDirectories = 1000000

  /** Where MPSR keeps its records and the files of groups, which belong to datasets. */
  private val Store = "/.mpsr"

  /**
   * Lists the trees.
   *
   * @param sample the size of the first sample
   * @param draws the number of draws
   * @param progress is told the number of files now and then
   * @throws java.io.FileNotFoundException if a root is not there
   */
  def of(fs: FileSystem, roots: Seq[Path], sample: Int, draws: Int, seed: Long, progress: Long => Unit): Tree = {
    val walk = new Walk(fs, new UniformSample(sample, seed), new SizeSample(draws, seed), progress)
    distinct(roots.map(fs.makeQualified)).foreach(walk.below)
    walk.tree
  }

  /** Roots that do not lie below other ones. */
  private def distinct(roots: Seq[Path]): Seq[Path] = {
    def above(path: Path): Iterator[Path] = Iterator.iterate(path.getParent)(_.getParent).takeWhile(_ != null)
    val all = roots.distinct
    all.filterNot(root => above(root).exists(all.contains))
  }

  private final class Walk(
      fs: FileSystem,
      byNumber: UniformSample[ListedFile],
      bySize: SizeSample[ListedFile],
      progress: Long => Unit) {
    private var all = Amount(0, 0)
    private var stored = 0L
    private val sizes = mutable.HashMap.empty[Int, Amount]
    private val directories = mutable.HashMap.empty[String, Amount]
    private val closed = mutable.ArrayBuffer.empty[String]

    def below(root: Path): Unit = {
      val status = fs.getFileStatus(root)
      if (status.isFile) add(status)
      else {
        val left = new ArrayDeque(Collections.singletonList(root))
        while (!left.isEmpty) {
          val directory = left.removeLast()
          try {
            val entries = fs.listStatusIterator(directory)
            while (entries.hasNext) {
              val entry = entries.next()
              if (entry.isFile) add(entry)
              else if (entry.isDirectory && entry.getPath.toUri.getPath != Store) left.addLast(entry.getPath)
            }
          } catch {
            case _: AccessControlException => closed += directory.toUri.getPath
            case _: java.io.FileNotFoundException if directory != root => // deleted meanwhile
          }
        }
      }
    }

    private def add(status: FileStatus): Unit = {
      val file = ListedFile(status.getPath.toUri.getPath, status.getLen)
      all += file.length
      stored += file.length * math.max(1, status.getReplication)
      val power = if (file.length == 0) -1 else 63 - java.lang.Long.numberOfLeadingZeros(file.length)
      sizes(power) = sizes.getOrElse(power, Amount(0, 0)) + file.length
      val directory = archive(status.getPath.getParent)
      if (!file.isHidden && (directories.contains(directory) || directories.size < MostDirectories)) {
        directories(directory) = directories.getOrElse(directory, Amount(0, 0)) + file.length
      }
      byNumber.add(file)
      bySize.add(file, file.length)
      if (all.files % 100000 == 0) progress(all.files)
    }

    def tree: Tree = Tree(
      all,
      stored,
      sizes.toMap,
      directories.toSeq.sortBy { case (path, amount) => (-amount.bytes, path) },
      closed.toSeq,
      byNumber.items.asScala.toSeq,
      bySize.items.asScala.toSeq)
  }

  /** The directory of a table whose partitions are directories: the one above the first `name=value`. */
  def archive(directory: Path): String = {
    val names = directory.toUri.getPath.split('/')
    val table = names.takeWhile(!_.contains('='))
    if (table.length <= 1) "/" else table.mkString("/")
  }
}
