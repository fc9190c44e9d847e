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
package org.hadoopmpsr.spark.recovery

import org.apache.hadoop.fs.Path
import org.awaitility.Awaitility.await
import org.hadoopmpsr.spark.TestRecords
import org.hadoopmpsr.testing.LostFiles

/** Steps that take something away, and give nodes back. */
private[recovery] final class RecoveryFaults(recovery: Recovery) {
  import recovery._

  def steps: Seq[RecoveryStep] = nodes ++ nameNodes ++ Seq(
    RecoveryStep("rack lost", 2, () => stopRack()),
    RecoveryStep("block corrupt", 3, () => corruptFile()),
    RecoveryStep("block lost", 2, () => loseFile()),
    RecoveryStep("file deleted", 2, () => deleteFile()),
    RecoveryStep("disk full", 1, () => fillDisk()),
    RecoveryStep("disk has room", 1, () => emptyDisk()))

  def nodes: Seq[RecoveryStep] = Seq(
    RecoveryStep("node lost", 4, () => stopNode()),
    RecoveryStep("node returns", 3, () => startNode()))

  def nameNodes: Seq[RecoveryStep] = Seq(
    RecoveryStep("failover", 2, () => nameNode("failover", cluster.failOver())),
    RecoveryStep("NameNode restart", 1, () => restart("restart of the active NameNode", cluster.restartActive())),
    RecoveryStep("all NameNodes restart", 1, () => restart("restart of all NameNodes", cluster.restartAll())))

  /** What strikes queries that run. */
  def stepsUnder(check: RecoveryCheck): Seq[RecoveryStep] = Seq(
    RecoveryStep("node lost under queries", 5, () => under(check, cluster.down.size < 2, stopNode())),
    RecoveryStep("block corrupt under queries", 3, () => under(check, possible = true, corruptFile())))

  private def under(check: RecoveryCheck, possible: Boolean, happen: => Boolean): Boolean = {
    var happened = false
    if (possible && !check.isReadAsStock) {
      log += "queries run; meanwhile"
      check.queriesWhile { happened = happen }
    }
    happened
  }

  private def named(node: String): String = s"node ${cluster.all.indexOf(node)} of group ${cluster.groups(node)}"

  def stop(node: String): Unit = {
    log += s"${named(node)} is lost"
    full -= node // a node that starts anew has room
    cluster.stop(node)
  }

  private def stopNode(): Boolean = {
    val possible = cluster.down.size < 2
    if (possible) stop(any(cluster.up))
    possible
  }

  private def stopRack(): Boolean = {
    val possible = cluster.down.isEmpty
    if (possible) {
      val rack = any(cluster.racks.values.toSeq.distinct.sorted)
      log += s"rack $rack is lost"
      cluster.up.filter(cluster.racks(_) == rack).foreach(stop)
    }
    possible
  }

  private def startNode(): Boolean = {
    val possible = cluster.down.nonEmpty
    if (possible) {
      val nodes = if (random.nextBoolean()) cluster.down else Seq(any(cluster.down))
      log += s"${nodes.map(named).mkString(", ")} return"
      cluster.start(nodes)
      readCorrupt()
    }
    possible
  }

  /** Damages a file that is sound, where another group is not hurt for good. */
  private def damageOne(what: String, among: Seq[String] = groups)(damage: String => Unit): Boolean = {
    val damaged = damages.map(d => d.segment -> d.group).toSet
    val places = for {
      segment <- segments
      group <- among
      place = segment -> group
      if !damaged(place) && (hurt.toSet + place).count(_._1 == segment) < groups.size
    } yield place
    if (places.nonEmpty) {
      val place @ (segment, group) = any(places)
      val file = any(files(segment, group)).path
      log += s"$what: $file of $segment in $group"
      hurt += place
      damage(file)
      await().atMost(RecoveryCluster.Long).until(() => damages.exists(d => d.segment == segment && d.group == group))
    }
    places.nonEmpty
  }

  private def corruptFile(): Boolean = damageOne("a file's blocks are corrupt") { file =>
    cluster.corrupt(file)
    corrupt += file
    readCorrupt()
  }

  private def loseFile(): Boolean = damageOne("a file's blocks are lost") { file =>
    LostFiles.lose(cluster.mini, cluster.active, file)
    await().atMost(RecoveryCluster.Long).until(() => cluster.isUnreadable(file))
  }

  /** The files of other groups are nobody's to delete. */
  private def deleteFile(): Boolean =
    damageOne("a file is deleted by hand", Seq(TestRecords.groups.defaultName))(file => cluster.fs.delete(new Path(file), false))

  private def fillDisk(): Boolean = {
    val possible = full.isEmpty
    if (possible) {
      val node = any(cluster.up)
      log += s"${named(node)} is full"
      cluster.setFull(node, full = true)
      full += node
    }
    possible
  }

  private def emptyDisk(): Boolean = {
    val possible = full.nonEmpty
    full.foreach { node =>
      log += s"${named(node)} has room"
      cluster.setFull(node, full = false)
    }
    full.clear()
    possible
  }

  private def nameNode(what: String, happen: => Unit): Boolean = {
    log += what
    happen
    readCorrupt() // corrupt replicas are known to the NameNode that was told of them
    true
  }

  /** A NameNode that starts leaves safe mode only if everything can be rebuilt. */
  private def restart(what: String, happen: => Unit): Boolean = !hasUnreadable && nameNode(what, happen)

  /** Lets all nodes return with room. */
  def heal(): Unit = {
    emptyDisk()
    if (cluster.down.nonEmpty) {
      log += "all nodes return"
      cluster.start(cluster.down)
    }
    readCorrupt()
  }
}
