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
package org.hadoopmpsr.spark

import java.util.{Collections, LinkedHashMap, Map => JMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.{ExceptionFailure, SparkContext}
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.client.degraded.PartReader
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.DecisionMetrics

/**
 * Notices tasks that fail because a planned file can no longer be read: the dataset was dropped since, a rewrite replaced the
 * file longer ago than replaced files are kept, or a DataNode died. Such a query fails, while a new query reads other files. The log says this once for each
 * stage, and the counter `gone` counts the tasks. Safe for use by several threads.
 */
private[spark] object GoneFiles extends PrintableLogging {
  private val Remembered = 1000
  private val Signs = Seq("FileNotFoundException", "FILE_NOT_EXIST", "BlockMissingException")

  /** The datasets, by the directories of the planned groups. */
  private val planned: JMap[String, String] =
    Collections.synchronizedMap(new LinkedHashMap[String, String](16, 0.75f, true) {
      override protected def removeEldestEntry(eldest: JMap.Entry[String, String]): Boolean = size > Remembered
    })

  private val listening = new WeakHashMap[SparkContext, java.lang.Boolean]

  /** From now on, failures of tasks of this application are searched for files of the plan. */
  def watch(session: SparkSession, dataset: Path, plan: ReadPlan): Unit = {
    plan.parts.asScala.foreach(part => planned.put(part.root, dataset.toString))
    listening.synchronized {
      if (listening.put(session.sparkContext, true) == null) {
        session.sparkContext.addSparkListener(new Listener)
      }
    }
  }

  private def datasetOf(failure: String): Option[String] =
    if (!Signs.exists(failure.contains) || failure.contains(PartReader.STARTS_AGAIN)) None
    else planned.synchronized(planned.asScala.collectFirst { case (root, dataset) if failure.contains(root + "/") => dataset })

  private final class Listener extends SparkListener {
    private var lastStage = (-1, -1)

    override def onTaskEnd(end: SparkListenerTaskEnd): Unit = end.reason match {
      case e: ExceptionFailure =>
        datasetOf(e.toErrorString).foreach { dataset =>
          DecisionMetrics.countGone()
          if (lastStage != (end.stageId, end.stageAttemptId)) {
            lastStage = (end.stageId, end.stageAttemptId)
            logWarning(s"A planned file of a query of $dataset can no longer be read: ${e.description}. After the query was " +
              "planned, the dataset was dropped, a rewrite replaced the file longer ago than dfs.mpsr.drop.delay.seconds, or a " +
              "DataNode died. Run the query again on a new frame")
          }
        }
      case _ =>
    }
  }
}
