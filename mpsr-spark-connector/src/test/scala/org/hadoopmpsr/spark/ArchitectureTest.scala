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

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.importer.{ClassFileImporter, ImportOption}
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.{classes, noClasses}
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** Which way the arrows between packages go. */
class ArchitectureTest {
  private val imported = new ClassFileImporter()
    .withImportOption(new ImportOption.DoNotIncludeTests)
    .importPackages("org.hadoopmpsr.spark", "org.apache.spark.sql.mpsr")

  @Test
  def nothingButSparkHadoopAndOurModels(): Unit =
    classes()
      .should()
      .onlyDependOnClassesThat()
      .resideInAnyPackage(
        "org.hadoopmpsr.spark..",
        "org.hadoopmpsr.client",
        "org.hadoopmpsr.client.compact",
        "org.hadoopmpsr.client.degraded",
        "org.hadoopmpsr.client.delete",
        "org.hadoopmpsr.client.history",
        "org.hadoopmpsr.client.log",
        "org.hadoopmpsr.client.adopt",
        "org.hadoopmpsr.client.advise",
        "org.hadoopmpsr.client.query",
        "org.hadoopmpsr.client.rebuild",
        "org.hadoopmpsr.client.repair",
        "org.hadoopmpsr.client.rollback",
        "org.hadoopmpsr.client.run",
        "org.hadoopmpsr.client.scrub",
        "org.hadoopmpsr.client.survey",
        "org.hadoopmpsr.client.tune",
        "org.hadoopmpsr.client.verify",
        "org.hadoopmpsr.client.write",
        "org.hadoopmpsr.columnar.buffer",
        "org.hadoopmpsr.columnar.compress",
        "org.hadoopmpsr.columnar.degraded",
        "org.hadoopmpsr.columnar.derive",
        "org.hadoopmpsr.columnar.file",
        "org.hadoopmpsr.columnar.flush",
        "org.hadoopmpsr.columnar.layout",
        "org.hadoopmpsr.columnar.merge",
        "org.hadoopmpsr.columnar.nested",
        "org.hadoopmpsr.columnar.parquet",
        "org.hadoopmpsr.columnar.read",
        "org.hadoopmpsr.columnar.survey",
        "org.hadoopmpsr.core..",
        "org.apache.commons.math3..",
        "org.apache.spark..",
        "org.apache.datasketches..",
        "org.apache.hadoop..",
        "org.apache.parquet..",
        "com.codahale.metrics..",
        "com.github.luben.zstd..",
        "com.fasterxml.jackson..",
        "net.jpountz.lz4..",
        "org.slf4j..",
        "org.xerial.snappy..",
        "scala..",
        "java..")
      .check(imported)

  /** Each package and those of ours that it may use. */
  private val arrows = Map(
    "log" -> Set(),
    "source" -> Set("log"),
    "degraded" -> Set("source", "log", "versions"),
    "transform" -> Set("source", "versions"),
    "relation" -> Set("degraded", "transform", "versions"),
    "check" -> Set("relation", "source", "log", "versions"),
    "scan" -> Set("relation", "source"),
    "accuracy" -> Set("relation", "versions"),
    "aggregate" -> Set("relation", "source", "versions"),
    "columns" -> Set("log", "relation", "source"),
    "past" -> Set("relation"),
    "locality" -> Set("relation", "log", "versions"),
    "reduction" -> Set("reduction.answer"),
    "reduction.answer" -> Set("log", "relation", "scan", "transform", "versions"),
    "stream" -> Set("relation", "versions"),
    "overwrite" -> Set("versions"),
    "write" -> Set("jobs.run", "log", "overwrite", "relation", "source", "versions"),
    "jobs" -> Set("jobs.adopt", "jobs.advise", "jobs.compact", "jobs.delete", "jobs.estimate", "jobs.query", "jobs.rebuild", "jobs.repair", "jobs.rollback", "jobs.run", "jobs.sampling", "jobs.scrub", "jobs.survey", "jobs.tune", "jobs.verify", "relation", "source", "versions"),
    "jobs.adopt" -> Set("jobs.rebuild", "jobs.run", "jobs.verify", "log", "versions"),
    "jobs.advise" -> Set("jobs.adopt", "jobs.estimate", "jobs.rebuild", "jobs.run", "jobs.survey", "relation", "source", "versions"),
    "jobs.compact" -> Set("jobs.run", "log"),
    "jobs.delete" -> Set("jobs.run", "log", "relation", "source", "versions"),
    "jobs.estimate" -> Set("jobs.sampling", "versions"),
    "jobs.query" -> Set("jobs.run", "reduction", "reduction.answer", "relation", "scan", "source", "versions"),
    "jobs.rebuild" -> Set("jobs.run", "log", "source", "versions"),
    "jobs.repair" -> Set("jobs.rebuild", "jobs.run", "log"),
    "jobs.rollback" -> Set("jobs.delete", "jobs.run", "log"),
    "jobs.run" -> Set("log"),
    "jobs.sampling" -> Set("jobs.run", "versions"),
    "jobs.scrub" -> Set("jobs.rebuild", "jobs.run", "jobs.verify", "log"),
    "jobs.survey" -> Set("jobs.adopt", "jobs.rebuild", "jobs.run", "versions"),
    "jobs.tune" -> Set("jobs.estimate"),
    "jobs.verify" -> Set("jobs.run", "versions"),
    "versions" -> Set())

  @Test
  def arrowsBetweenPackagesAreThoseOfTheDesign(): Unit = arrows.foreach { case (name, used) =>
    val others = (arrows.keySet - name -- used).map(other => s"org.hadoopmpsr.spark.$other").toSeq :+ "org.hadoopmpsr.spark"
    noClasses()
      .that()
      .resideInAPackage(s"org.hadoopmpsr.spark.$name")
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage(others: _*)
      .check(imported)
  }

  @Test
  def theExtensionKnowsNoJobs(): Unit =
    noClasses()
      .that()
      .resideInAPackage("org.hadoopmpsr.spark")
      .should()
      .dependOnClassesThat()
      .resideInAPackage("org.hadoopmpsr.spark.jobs")
      .check(imported)

  @Test
  def everyPackageHasItsArrows(): Unit =
    assertEquals(
      arrows.keySet,
      packages.keySet.filter(_.startsWith("org.hadoopmpsr.spark.")).map(_.stripPrefix("org.hadoopmpsr.spark.")))

  @Test
  def packagesHaveNoCycles(): Unit =
    slices().matching("org.hadoopmpsr.(**)").should().beFreeOfCycles().check(imported)

  @Test
  def noPackageHoldsMoreThanTwentyClasses(): Unit =
    assertEquals(Map.empty, packages.filter(_._2 > 20))

  /** The number of top-level classes in each package; a class and its companion object count once. */
  private def packages: Map[String, Int] =
    imported.asScala.toSeq
      .filter(c => c.isTopLevelClass && c.getSimpleName != "package-info")
      .map(c => c.getPackageName -> c.getName.stripSuffix("$"))
      .distinct
      .groupBy(_._1)
      .map { case (name, classes) => name -> classes.size }

  @Test
  def whatIsInSparksPackagesKnowsNothingOfOurs(): Unit =
    noClasses()
      .that()
      .resideInAPackage("org.apache.spark.sql.mpsr")
      .should()
      .dependOnClassesThat()
      .resideInAPackage("org.hadoopmpsr..")
      .check(imported)
}
