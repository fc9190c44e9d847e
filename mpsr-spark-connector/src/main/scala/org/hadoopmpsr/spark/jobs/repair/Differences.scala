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
package org.hadoopmpsr.spark.jobs.repair

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.rebuild.{Damage, DamagedFile, NeededFiles}
import org.hadoopmpsr.core.rebuild.DamagedFile.Cause
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.rebuild.RebuildStore
import org.hadoopmpsr.spark.jobs.run.SegmentFiles
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * How a segment in a group differs from what another group holds of it.
 *
 * @param source the group that it is compared with; none if no group holds all of the segment
 * @param found what differs; none if nothing does, or nothing was compared
 */
private[jobs] final case class Difference(
    damage: Damage,
    source: Option[String],
    found: Option[PartDifference],
    examples: Seq[ExampleRecord],
    unreadable: Seq[UnreadableFile]) {

  /** The files that somebody has changed, or put there. */
  def byHand: Seq[DamagedFile] = Differences.byHand(damage)

  /** The number of files that lost their replicas, or whose replicas are corrupt; they are not compared. */
  def lost: Int = damage.files.size - byHand.size
}

/**
 * Finds out how what somebody has changed, deleted or put in the place of published files differs from the records of the
 * segments.
 */
private[jobs] final class Differences(schema: Schema, groups: ReplicaGroups, store: RebuildStore, comparer: SparkComparer) {
  import Differences._

  /**
   * What differs of the wanted damage, in its order; without damage in which nobody has a hand. Groups with rounded values have other records: these are not
   * compared.
   */
  def of(wanted: Damage => Boolean): Seq[Difference] = {
    val damages = store.damages().filter(damage => wanted(damage) && isByHand(damage))
    val (known, unknown) = damages.partition(damage => damage.liveCopies > 0 && !groups.find(damage.group).get.isLossy)
    val compared = known.zipWithIndex.map { case (damage, number) => compare(damage, number) }
    val (found, examples, unreadable) =
      if (compared.isEmpty) (Map.empty[Int, PartDifference], Nil, Nil)
      else comparer.compare(compared.map(_.part), compared.flatMap(_.files))
    val told = known.zip(compared).zipWithIndex.map { case ((damage, pair), number) =>
      Difference(
        damage,
        Some(pair.source),
        found.get(number),
        examples.filter(_.part == number),
        unreadable.filter(_.part == number))
    }
    told ++ unknown.map(damage => Difference(damage, None, None, Nil, Nil))
  }

  private def compare(damage: Damage, number: Int): Compared = {
    val source = damage.sources.asScala.minBy { case (name, held) => (held.bytes, name) }._1
    val changed = byHand(damage).map(_.file)
    val known = changed.forall(_.statistics.partition.size == groups.find(damage.group).get.predicates.size)
    // where files were deleted, nothing says of which partitions they were
    val partitions = Option.when(!damage.deleted && known)(damage.files.asScala.map(_.file.statistics.partition).toSet)
    val needed = partitions.map(p => new NeededFiles(schema, groups.find(damage.group).get, p.toSeq.asJava))
    val wanted = store.files(source, Seq(damage.segment)).filter(file => needed.forall(_.mayHold(file)))
    val damaged = damage.files.asScala.map(_.file.path).toSet
    val sound = store
      .files(damage.group, Seq(damage.segment))
      .filter(file => !damaged(file.path) && partitions.forall(_.contains(file.statistics.partition)))
      .filter(store.isThere)
    Compared(
      source,
      ComparedPart(damage.group, partitions.map(_.map(new java.util.ArrayList(_))), damage.hashKind),
      wanted.map(file => ComparedFile(number, SegmentFiles.of(source, file), wanted = true, stated = true)) ++
        sound.map(file => ComparedFile(number, SegmentFiles.of(damage.group, file), wanted = false, stated = true)) ++
        changed.map(file => ComparedFile(number, SegmentFiles.of(damage.group, file), wanted = false, stated = false)))
  }
}

private[jobs] object Differences {
  private final case class Compared(source: String, part: ComparedPart, files: Seq[ComparedFile])

  /** The files that somebody has changed, or put there. */
  def byHand(damage: Damage): Seq[DamagedFile] = damage.files.asScala.toSeq.filter(_.cause == Cause.CHANGED)

  /** True if somebody has changed or deleted files, or put some there. */
  def isByHand(damage: Damage): Boolean = damage.deleted || byHand(damage).nonEmpty
}
