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

import com.tngtech.archunit.core.importer.{ClassFileImporter, ImportOption}
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.{classes, noClasses}
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
        "org.hadoopmpsr.core..",
        "org.apache.spark..",
        "org.apache.hadoop..",
        "com.codahale.metrics..",
        "com.fasterxml.jackson..",
        "org.slf4j..",
        "scala..",
        "java..")
      .check(imported)

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
  def whatIsInSparksPackagesKnowsNothingOfOurs(): Unit =
    noClasses()
      .that()
      .resideInAPackage("org.apache.spark.sql.mpsr")
      .should()
      .dependOnClassesThat()
      .resideInAPackage("org.hadoopmpsr..")
      .check(imported)
}
