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
package org.hadoopmpsr.spark.jobs.estimate

import org.apache.commons.math3.distribution.{NormalDistribution, TDistribution}
import org.hadoopmpsr.core.sampling.{Estimates, FileFormat, Interval}
import org.hadoopmpsr.spark.jobs.sampling.{Amount, CodecTrial, ListedFile, Looks, Trial, TrialCodec, Tree}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * A format's share of the files and of the bytes.
 *
 * @param files none where no file was looked at
 * @param bytes none where there are no bytes
 */
private[jobs] final case class FormatShare(format: FileFormat, files: Option[Interval], bytes: Option[Interval])

/**
 * What a codec would make of all bytes.
 *
 * @param saved the share of all bytes that it would save; below 0 where it needs more
 * @param packRate bytes per second and core, of the bytes without a codec; the same for `unpackRate`
 */
private[jobs] final case class CodecSaving(codec: String, saved: Interval, packRate: Double, unpackRate: Double)

/** The state of Parquet files: each the share of Parquet files of which it is true. */
private[jobs] final case class ParquetHealth(looked: Long, findings: Seq[(String, Interval)], codecs: Seq[(String, Interval)], sortedBy: Seq[(String, Int)])

/**
 * A directory that could become a dataset.
 *
 * @param looked how many of its files were looked at; all of them are Parquet files of one number of columns
 */
private[jobs] final case class Candidate(path: String, amount: Amount, looked: Int)

/** What is known of directory trees. */
private[jobs] final case class TreeReport(
    roots: Seq[String],
    tree: Tree,
    looks: Looks,
    confidence: Double,
    formats: Seq[FormatShare],
    savings: Seq[CodecSaving],
    untried: Seq[(String, Int)],
    health: Option[ParquetHealth],
    candidates: Seq[Candidate]) {

  /** The share of all files that was looked at. */
  def filesRead: Double = if (tree.all.files == 0) 0 else looks.files.size.toDouble / tree.all.files

  /** How many bytes of files codecs were tried on; those of places that overlap count for each. */
  def bytesTried: Long = looks.places.flatMap(_.trial).collect { case Right(trial) => trial.stored }.sum
}

private[jobs] object TreeReport {

  /** Row groups of fewer bytes than this cost a reader more to find than to read. */
  val SmallRowGroup: Long = 8L << 20

  /** A directory with fewer files than this is no archive. */
  private val LeastFiles = 10
  private val MostCandidates = 20

  /**
   * @param confidence how often the intervals are to hold the truth; between 0 and 1
   * @param datasets the directories that are datasets
   */
  def of(roots: Seq[String], tree: Tree, looks: Looks, confidence: Double, datasets: Set[String]): TreeReport = {
    val z = normal(confidence)
    val trials = looks.places.flatMap(_.trial)
    TreeReport(
      roots,
      tree,
      looks,
      confidence,
      formats(tree, looks, z),
      savings(trials.collect { case Right(trial) => trial }, confidence),
      trials.collect { case Left(problem) => problem }.groupMapReduce(identity)(_ => 1)(_ + _).toSeq.sortBy(-_._2),
      health(tree, looks, z),
      candidates(tree, looks, datasets))
  }

  /** The quantile of the normal distribution by which intervals hold the truth so often. */
  def normal(confidence: Double): Double = new NormalDistribution().inverseCumulativeProbability(0.5 + confidence / 2)

  private def student(confidence: Double, draws: Int): Double =
    if (draws < 2) 0 else new TDistribution(draws - 1.0).inverseCumulativeProbability(0.5 + confidence / 2)

  private def formats(tree: Tree, looks: Looks, z: Double): Seq[FormatShare] = {
    val files = looks.files.groupMapReduce(_.format)(_ => 1L)(_ + _)
    val places = looks.places.groupMapReduce(_.format)(_ => 1L)(_ + _)
    (files.keySet ++ places.keySet).toSeq.map { format =>
      FormatShare(
        format,
        Some(looks.files.size.toLong).filter(_ > 0).map(Estimates.share(files.getOrElse(format, 0L), _, tree.all.files, z)),
        Some(looks.places.size.toLong).filter(_ > 0).map(Estimates.shareOfSize(places.getOrElse(format, 0L), _, z)))
    }.sortBy(share => (-share.bytes.fold(0.0)(_.estimate), -share.files.fold(0.0)(_.estimate), share.format.name))
  }

  private def savings(trials: Seq[Trial], confidence: Double): Seq[CodecSaving] =
    if (trials.isEmpty) Nil
    else {
      val t = student(confidence, trials.size)
      TrialCodec.All.map(_.name).zipWithIndex.map { case (codec, i) =>
        val of = trials.map(_.codecs(i))
        val left = Estimates.ratio(trials.zip(of).map { case (trial, packed) => packed.bytes.toDouble / trial.stored }.toArray, t)
        val timed = trials.zip(of).filter(_._2.packNanos > 0)
        def rate(nanos: CodecTrial => Long): Double =
          timed.map(_._1.raw.toDouble).sum / math.max(1.0, timed.map(pair => nanos(pair._2).toDouble).sum) * 1e9
        CodecSaving(codec, new Interval(1 - left.estimate, 1 - left.high, 1 - left.low), rate(_.packNanos), rate(_.unpackNanos))
      }
    }

  private def health(tree: Tree, looks: Looks, z: Double): Option[ParquetHealth] = {
    val parquet = looks.files.filter(_.format == FileFormat.PARQUET)
    val forms = parquet.flatMap(_.form).collect { case Right(form) => form }
    if (parquet.isEmpty) None
    else {
      // how many Parquet files there are is an estimate, too: all files is the most
      def share(hits: Int): Interval = Estimates.share(hits, parquet.size, math.max(parquet.size, tree.all.files), z)
      Some(ParquetHealth(
        parquet.size,
        Seq(
          "their footer cannot be read" -> share(parquet.count(_.form.exists(_.isLeft))),
          s"the mean row group has less than ${SmallRowGroup >> 20} MiB" -> share(forms.count(form =>
            form.rowGroupBytes.nonEmpty && form.rowGroupBytes.sum / form.rowGroupBytes.size < SmallRowGroup)),
          "a column has no bounds" -> share(forms.count(_.withoutBounds)),
          "there is no page index" -> share(forms.count(_.withoutIndex)),
          "row groups are in the order of a column" -> share(forms.count(_.sorted.isDefined))),
        forms.flatMap(_.codecs).distinct.map(codec => codec -> share(forms.count(_.codecs(codec)))).sortBy(-_._2.estimate),
        forms.flatMap(_.sorted).groupMapReduce(identity)(_ => 1)(_ + _).toSeq.sortBy { case (name, count) => (-count, name) }))
    }
  }

  private def candidates(tree: Tree, looks: Looks, datasets: Set[String]): Seq[Candidate] = {
    def of(file: ListedFile): String = Tree.archive(new org.apache.hadoop.fs.Path(file.path).getParent)
    val looked = looks.files.filterNot(_.file.isHidden).groupBy(look => of(look.file))
    val draws = looks.places.filterNot(_.file.isHidden).groupBy(look => of(look.file))
    tree.directories.iterator.filter { case (path, amount) => amount.files >= LeastFiles && !inDataset(path, datasets) }.flatMap {
      case (path, amount) =>
        val files = looked.getOrElse(path, Nil)
        val formats = (files.map(_.format) ++ draws.getOrElse(path, Nil).map(_.format)).toSet
        val columns = files.flatMap(_.form).collect { case Right(form) => form.columns }.toSet
        if (formats == Set(FileFormat.PARQUET) && columns.size <= 1) Some(Candidate(path, amount, files.size)) else None
    }.take(MostCandidates).toSeq
  }

  private def inDataset(path: String, datasets: Set[String]): Boolean =
    datasets.exists(dataset => path == dataset || path.startsWith(dataset + "/"))
}
