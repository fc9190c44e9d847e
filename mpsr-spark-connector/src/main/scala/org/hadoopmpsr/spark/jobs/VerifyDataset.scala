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
package org.hadoopmpsr.spark.jobs

import java.io.IOException
import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.client.ReadPlan.PlannedFile
import org.hadoopmpsr.core.hash.HashKind
import org.hadoopmpsr.core.plan.{Filter, ReadRequest}
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.relation.ConfKeys

/**
 * Reads every representation of a dataset from its files and prints the number of records and the content hash of each as
 * JSON, and the files whose statistics in the NameNode are false. Exit codes: 0 if all hold equal records and all
 * statistics are true, 1 if not or after an error, 2 for wrong arguments.
 */
object VerifyDataset {
  private final case class Arguments(dataset: String, json: Option[String])

  def main(args: Array[String]): Unit = {
    val arguments = parse(args.toList).getOrElse {
      System.err.println("usage: VerifyDataset hdfs://<namenode>/<dataset> [--json FILE]")
      sys.exit(2)
    }
    val session = SparkSession.builder().appName(s"mpsr verify ${arguments.dataset}").getOrCreate()
    val report =
      try verify(session, arguments.dataset)
      catch { case e: IOException => fail(e) }
      finally session.stop()
    println(report.json)
    arguments.json.foreach(f => Files.write(Paths.get(f), (report.json + "\n").getBytes(StandardCharsets.UTF_8)))
    if (!report.sound) {
      sys.exit(1)
    }
  }

  /** Prints the error, without the stack trace that a message from the NameNode has. */
  private def fail(e: IOException): Nothing = {
    val lines = Option(e.getMessage).getOrElse(e.toString).linesIterator.takeWhile(!_.startsWith("\tat "))
    System.err.println(PrintableText.ofMessage(lines.mkString("mpsr: ", "\n", "")))
    sys.exit(1)
  }

  private def parse(args: List[String]): Option[Arguments] = args match {
    case List(dataset) if !dataset.startsWith("-") => Some(Arguments(dataset, None))
    case List(dataset, "--json", file) if !dataset.startsWith("-") => Some(Arguments(dataset, Some(file)))
    case List("--json", file, dataset) if !dataset.startsWith("-") => Some(Arguments(dataset, Some(file)))
    case _ => None
  }

  private[spark] def verify(session: SparkSession, path: String): VerifyReport = {
    session.conf.set(ConfKeys.Enabled, "false")
    val conf = session.sparkContext.hadoopConfiguration
    val target = new Path(path)
    val root = target.getFileSystem(conf).makeQualified(target)
    Using.resource(MpsrClient.create(new Configuration(conf), root.toUri)) { client =>
      val dataset = client.getDataset(root.toUri.getPath)
      val scan = new RepresentationScan(session, dataset.schema, dataset.groups)
      val read = dataset.representations.asScala.toSeq.map { representation =>
        val place = new Path(root.toUri.getScheme, root.toUri.getAuthority, representation.root)
        System.err.println(PrintableText.of(s"reading replica group ${representation.group} in $place"))
        val stated = statedFiles(client, dataset, representation.group)
        (scan.read(representation.group, place, kinds(stated.getOrElse(Nil))), stated)
      }
      val contents = read.map(_._1)
      VerifyReport(
        dataset.path,
        contents,
        contents.flatMap(_.unreadable) ++ read.flatMap { case (content, stated) =>
          falseFiles(dataset, content, stated.getOrElse(Nil))
        },
        read.collect { case (content, Left(reason)) => content.group -> reason }.toMap)
    }
  }

  /** The files of a group with what the NameNode keeps of them, or why that is unknown. */
  private def statedFiles(client: MpsrClient, dataset: Dataset, group: String): Either[String, Seq[PlannedFile]] = {
    val names = dataset.groups.logicalColumns(dataset.schema).asScala.map(_.name).asJava
    val plan = client.plan(dataset.path, ReadRequest.ofFiles(Filter.ALL), group, names).get
    if (plan.stock) Left(plan.reason) else Right(plan.files.asScala.toSeq)
  }

  private def kinds(stated: Seq[PlannedFile]): Map[String, HashKind] =
    stated.filter(_.content != null).map(file => file.path -> file.content.kind).toMap

  /** The files of a group that can be read and of which the NameNode keeps false statistics. */
  private def falseFiles(dataset: Dataset, content: RepresentationContent, stated: Seq[PlannedFile]): Seq[FalseFile] = {
    val check = new StatisticsCheck(dataset.schema, dataset.groups.find(content.group).get)
    for {
      file <- stated
      found <- content.records.get(file.path)
      problem <- check.problem(file, found)
    } yield FalseFile(content.group, file.path, problem)
  }
}
