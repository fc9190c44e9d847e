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
package org.hadoopmpsr.spark.source

import java.io.{InterruptedIOException, IOException}
import java.net.{SocketTimeoutException, URI}
import java.nio.channels.ClosedByInterruptException
import java.util.Optional
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.ipc.{RemoteException, RetriableException}
import org.apache.hadoop.security.UserGroupInformation
import org.hadoopmpsr.client.{MpsrClient, OversizeMessageException, ReadPlan}
import org.hadoopmpsr.core.plan.ReadRequest
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Asks the NameNode of an HDFS path. A NameNode that runs without MPSR, or cannot be reached, is not asked again for a
 * minute, and the log says when this starts. Mount tables and routers do not pass the question on, and are treated as a
 * NameNode without MPSR. Each pair of file system and user has one client, which is closed after ten minutes without use.
 *
 * @param connect makes a client
 */
private[spark] class NameNodePlanSource(connect: (Configuration, URI) => MpsrClient) extends PlanSource with PrintableLogging {
  private val RetryAfterMs = TimeUnit.MINUTES.toMillis(1)
  private val IdleMs = TimeUnit.MINUTES.toMillis(10)
  private val OtherVersion = "org.apache.hadoop.ipc.RpcNoSuchMethodException"
  private val Refused = "org.apache.hadoop.security.authorize.AuthorizationException"

  private val clients = new IdleClients[NameNode, MpsrClient](IdleMs, () => nowMs())
  private val pauses = new ConcurrentHashMap[NameNode, Pause]

  override def plan(
      root: Path,
      conf: => Configuration,
      readRequest: ReadRequest,
      group: Option[String],
      statisticsColumns: Seq[String]): PlanSource.Answer = {
    val uri = root.toUri
    if (uri.getScheme == "viewfs") {
      unavailable(
        NameNode(uri.getScheme, String.valueOf(uri.getAuthority), UserGroupInformation.getCurrentUser),
        "is behind a mount table; name hdfs://… in the path, and MPSR chooses what is read")
    } else if (uri.getScheme != "hdfs" || uri.getAuthority == null) {
      PlanSource.NotADataset
    } else {
      val nameNode = NameNode(uri.getScheme, uri.getAuthority, UserGroupInformation.getCurrentUser)
      val pause = pauses.get(nameNode)
      if (pause != null && nowMs() < pause.untilMs) pause.answer
      else ask(nameNode, uri, conf)(_.plan(uri.getPath, readRequest, group.orNull, statisticsColumns.asJava))
    }
  }

  private def ask(nameNode: NameNode, uri: URI, conf: => Configuration)(
      question: MpsrClient => Optional[ReadPlan]): PlanSource.Answer =
    try {
      val plan = clients.use(nameNode)(connect(conf, uri))(question)
      pauses.remove(nameNode)
      if (plan.isPresent) PlanSource.DatasetPlan(plan.get) else PlanSource.NotADataset
    } catch {
      case e: IOException if isInterrupted(e) => throw e
      case e: IOException if MpsrClient.isWithoutMpsr(e) =>
        unavailable(nameNode, s"runs without MPSR, or is a router; with a router, name the nameservice itself (${firstLine(e)})")
      case e: RemoteException if e.getClassName == OtherVersion =>
        unavailable(nameNode, s"runs with another version of MPSR (${firstLine(e)})")
      case e: RetriableException =>
        unavailable(nameNode, s"is busy (${firstLine(e)})", PlanSource.Busy(firstLine(e.getMessage)))
      case e: OversizeMessageException =>
        logWarning(s"The read of $uri is as without MPSR: ${firstLine(e)}")
        PlanSource.Unavailable
      case e: IOException if MpsrClient.isAnswer(e) && !isRefused(e) => throw e
      case e: IOException => unavailable(nameNode, s"cannot be asked for a plan (${firstLine(e)})")
    }

  private def isRefused(e: IOException): Boolean = e match {
    case remote: RemoteException => remote.getClassName == Refused
    case _ => false
  }

  /** Whether the query was cancelled, which says nothing about the NameNode. A timeout of a call does. */
  private def isInterrupted(e: IOException): Boolean =
    Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).exists {
      case _: SocketTimeoutException => false
      case _: InterruptedIOException | _: ClosedByInterruptException => true
      case _ => false
    }

  private def unavailable(
      nameNode: NameNode,
      problem: String,
      answer: PlanSource.Answer = PlanSource.Unavailable): PlanSource.Answer = {
    pauses.values.removeIf(nowMs() - _.untilMs >= IdleMs)
    val before = pauses.put(nameNode, Pause(nowMs() + RetryAfterMs, answer))
    val message = s"The NameNode of ${nameNode.scheme}://${nameNode.authority} $problem. Reads from there are as without MPSR. " +
      s"MPSR asks again in ${RetryAfterMs / 1000} s"
    if (before == null) logWarning(message) else logDebug(message)
    answer
  }

  /** Without the server's stack trace. */
  private def firstLine(e: IOException): String = firstLine(e.toString)

  private def firstLine(message: String): String = String.valueOf(message).linesIterator.nextOption().getOrElse("")

  private def nowMs(): Long = TimeUnit.NANOSECONDS.toMillis(System.nanoTime())
}

private[source] final case class NameNode(scheme: String, authority: String, user: UserGroupInformation)

/** What is answered without asking, until a time. */
private[source] final case class Pause(untilMs: Long, answer: PlanSource.Answer)

private[spark] object NameNodePlanSource extends NameNodePlanSource(MpsrClient.create(_, _))
