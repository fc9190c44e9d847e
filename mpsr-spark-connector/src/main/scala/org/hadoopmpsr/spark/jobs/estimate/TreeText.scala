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

import java.util.Locale

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode
import org.hadoopmpsr.core.sampling.Interval
import org.hadoopmpsr.spark.versions.Scala213._

/** A report in words, and as JSON. */
private[jobs] object TreeText {
  private val Mapper = new ObjectMapper

  /** For people. */
  def lines(report: TreeReport): Seq[String] = {
    import report._
    val percent = format("%.0f", confidence * 100)
    val head = Seq(
      s"${roots.mkString(", ")}: ${tree.all.files} files, ${size(tree.all.bytes.toDouble)}; with all copies ${size(tree.stored.toDouble)}",
      s"looked at ${looks.files.size} files (${format("%.2g", filesRead * 100)} % of all) and at ${looks.places.size} places drawn by size;" +
        s" ${size(bytesTried.toDouble)} were compressed by trial; intervals hold the truth in $percent % of surveys")
    val missing = Option.when(tree.closed.nonEmpty)(
      s"${tree.closed.size} directories are closed to you and not counted, such as ${tree.closed.head}").toSeq ++
      looks.unread.toSeq.sorted.map { case (problem, count) => s"$count looks failed: $problem" }
    val kinds = "formats: share of files, share of bytes" +: formats.map { share =>
      s"  ${pad(share.format.toString, 18)} ${pad(share.files.fold("-")(shown), 24)} ${share.bytes.fold("-")(shown)}"
    }
    val lengths = "sizes of files" +: tree.sizes.toSeq.sortBy(_._1).map { case (power, amount) =>
      s"  ${pad(s"from ${from(power)}", 18)} ${pad(s"${amount.files} files", 24)} ${size(amount.bytes.toDouble)}"
    }
    val codecs =
      if (savings.isEmpty) Nil
      else ("all bytes with another codec: saved, and the speed of a core for packing and unpacking" +: savings.map { saving =>
        s"  ${pad(saving.codec, 18)} ${pad(shown(saving.saved), 24)} ${pad(size(saving.packRate) + "/s", 12)} ${size(saving.unpackRate)}/s"
      }) ++ untried.map { case (problem, count) => s"  $count places were not tried: $problem" }
    val state = health.toSeq.flatMap { found =>
      s"Parquet files (${found.looked} looked at): share of them of which it is true that" +:
        (found.findings.map { case (what, share) => s"  ${pad(what, 42)} ${shown(share)}" } ++
          found.codecs.map { case (codec, share) => s"  ${pad(s"a column is stored with $codec", 42)} ${shown(share)}" } ++
          found.sortedBy.take(5).map { case (column, count) => s"  $count are in the order of $column" })
    }
    val could =
      if (candidates.isEmpty) Nil
      else "directories of Parquet files that could become datasets ('hdfs mpsr dataset adopt PATH --dry-run' tells more)" +:
        candidates.map(found => s"  ${found.path}: ${found.amount.files} files, ${size(found.amount.bytes.toDouble)}; ${found.looked} looked at")
    head ++ missing ++ kinds ++ lengths ++ codecs ++ state ++ could
  }

  def json(report: TreeReport): String = {
    import report._
    val out = Mapper.createObjectNode()
    val paths = out.putArray("paths")
    roots.foreach(paths.add)
    out.put("files", tree.all.files).put("bytes", tree.all.bytes).put("storedBytes", tree.stored)
    out.put("confidence", confidence).put("filesLooked", looks.files.size).put("placesLooked", looks.places.size).put("bytesTried", bytesTried)
    val closed = out.putArray("closed")
    tree.closed.foreach(closed.add)
    val failed = out.putObject("failed")
    looks.unread.foreach { case (problem, count) => failed.put(problem, count) }
    val kinds = out.putArray("formats")
    formats.foreach { share =>
      val kind = kinds.addObject().put("format", share.format.toString)
      share.files.foreach(interval(kind, "files", _))
      share.bytes.foreach(interval(kind, "bytes", _))
    }
    val lengths = out.putArray("sizes")
    tree.sizes.toSeq.sortBy(_._1).foreach { case (power, amount) =>
      lengths.addObject().put("from", if (power < 0) 0L else 1L << power).put("files", amount.files).put("bytes", amount.bytes)
    }
    val codecs = out.putArray("codecs")
    savings.foreach { saving =>
      val codec = codecs.addObject().put("codec", saving.codec)
      interval(codec, "saved", saving.saved)
      codec.put("packBytesPerSecond", saving.packRate).put("unpackBytesPerSecond", saving.unpackRate)
    }
    val left = out.putObject("untried")
    untried.foreach { case (problem, count) => left.put(problem, count) }
    health.foreach { found =>
      val state = out.putObject("parquet").put("looked", found.looked)
      val findings = state.putArray("findings")
      found.findings.foreach { case (what, share) => interval(findings.addObject().put("finding", what), "share", share) }
      val stored = state.putArray("codecs")
      found.codecs.foreach { case (codec, share) => interval(stored.addObject().put("codec", codec), "share", share) }
      val sorted = state.putObject("sortedBy")
      found.sortedBy.foreach { case (column, count) => sorted.put(column, count) }
    }
    val could = out.putArray("adoptable")
    candidates.foreach { found =>
      could.addObject().put("path", found.path).put("files", found.amount.files).put("bytes", found.amount.bytes).put("looked", found.looked)
    }
    Mapper.writeValueAsString(out)
  }

  private def interval(node: ObjectNode, name: String, found: Interval): Unit =
    node.putObject(name).put("estimate", found.estimate).put("low", finite(found.low)).put("high", finite(found.high))

  private def finite(bound: Double): java.lang.Double = if (bound.isInfinite) null else bound

  /** A share with its bounds, in percents. */
  def shown(share: Interval): String =
    if (share.low.isInfinite) s"${percents(share.estimate)} %, bounds unknown"
    else s"${percents(share.estimate)} % (${percents(share.low)} to ${percents(share.high)})"

  private def percents(share: Double): String = format("%.1f", share * 100)

  /** Bytes for people. */
  def size(bytes: Double): String = {
    val units = Seq("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
    val power = math.max(0, math.min(units.size - 1, (math.log(math.max(1, bytes)) / math.log(1024)).toInt))
    if (power == 0) s"${bytes.toLong} B" else s"${format("%.1f", bytes / math.pow(1024, power))} ${units(power)}"
  }

  /** The least size of the files of a power of two. */
  def from(power: Int): String = if (power < 0) "0 B" else size(math.pow(2, power)).replace(".0 ", " ")

  private def format(pattern: String, value: Double): String = String.format(Locale.ROOT, pattern, Double.box(value))

  private def pad(text: String, width: Int): String = text + " " * math.max(0, width - text.length)
}
