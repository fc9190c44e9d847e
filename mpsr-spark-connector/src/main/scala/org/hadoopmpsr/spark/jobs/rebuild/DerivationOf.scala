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
package org.hadoopmpsr.spark.jobs.rebuild

import java.util.{List => JList}

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.rebuild.{Damage, NeededFiles, RebuildUnit}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.jobs.run.{JobException, SegmentFiles}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Finds out what is read and written for a unit of a rebuild.
 *
 * @param count the number of records of a segment's files in each partition of a group
 */
private[rebuild] final class DerivationOf(
    schema: Schema,
    groups: ReplicaGroups,
    store: RebuildStore,
    count: (String, Seq[SegmentFile]) => Map[JList[AnyRef], Long]) {

  /** @throws JobException if a source does not fit */
  def apply(unit: RebuildUnit): Derivation = {
    val parts = unit.parts.asScala.toSeq
    val sources = parts.groupBy(_.source).flatMap { case (source, some) =>
      store.files(source, some.map(_.damage.segment)).groupBy(_.statistics.commitId)
    }
    val own = store.files(unit.group, unit.segments.asScala.toSeq).groupBy(_.statistics.commitId)
    val derivations = parts.map { part =>
      val segment = part.damage.segment
      of(part, sources.getOrElse(segment, Nil), own.getOrElse(segment, Nil))
    }
    Derivation(unit.group, derivations.flatMap(_.files), derivations.flatMap(_.targets))
  }

  private def of(part: RebuildUnit.Part, sources: Seq[DataFile], own: Seq[DataFile]): Derivation = {
    val damage = part.damage
    if (sources.exists(_.statistics.content.kind != damage.hashKind)) {
      throw new JobException(s"the files of segment ${damage.segment} in group ${part.source} are hashed in another way")
    }
    val damaged = damage.files.asScala.map(_.file.path).toSet
    // the NameNode may still list files that were deleted
    val sound = own.filterNot(file => damaged(file.path)).filter(file => !damage.deleted || store.isThere(file))
    val targets =
      if (damage.deleted || damage.hasFalseFiles) countedTargets(part, sources, sound)
      else damagedTargets(damage)
    if (targets.isEmpty) {
      throw new JobException(
        s"group ${damage.group} has as many records of segment ${damage.segment} in each partition as group ${part.source};" +
          " nothing tells which of them differ: see 'verify'")
    }
    val partitions = targets.map(_.partition).toSet
    val needed = new NeededFiles(schema, groups.find(damage.group).get, targets.map(_.partition).asJava)
    Derivation(
      damage.group,
      sources.filter(needed.mayHold).map(file => DerivedFrom(SegmentFiles.of(part.source, file), subtracted = false)) ++
        sound
          .filter(file => partitions(file.statistics.partition))
          .map(file => DerivedFrom(SegmentFiles.of(damage.group, file), subtracted = true)),
      targets)
  }

  private def damagedTargets(damage: Damage): Seq[Target] =
    damage.files.asScala.toSeq.map(_.file).groupBy(_.statistics.partition).toSeq.map { case (partition, files) =>
      Target(
        damage.segment,
        serializable(partition),
        damage.hashKind,
        files.map(_.statistics.rows).sum,
        files.map(_.length).sum,
        files.size)
    }

  /** Nothing says in which partitions records are missing: those that the source has more records of than sound files have. */
  private def countedTargets(part: RebuildUnit.Part, sources: Seq[DataFile], sound: Seq[DataFile]): Seq[Target] = {
    val damage = part.damage
    val damaged = damagedTargets(damage).map(target => target.partition -> target).toMap
    val there = sound.groupMapReduce(_.statistics.partition)(_.statistics.rows)(_ + _)
    val rowBytes = sources.map(_.length).sum.toDouble / math.max(1, sources.map(_.statistics.rows).sum)
    for {
      (partition, rows) <- count(damage.group, sources.map(SegmentFiles.of(part.source, _))).toSeq
      missing = rows - there.getOrElse(partition, 0L)
      if missing > 0 || damaged.contains(partition)
    } yield Target(
      damage.segment,
      partition,
      damage.hashKind,
      math.max(1, missing),
      (missing * rowBytes).toLong,
      damaged.get(partition).fold(0)(_.files))
  }

  private def serializable(partition: JList[AnyRef]): JList[AnyRef] = new java.util.ArrayList(partition)
}
