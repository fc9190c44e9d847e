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
package org.hadoopmpsr.spark.versions

import scala.util.Properties

import org.apache.spark.SPARK_VERSION
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** Which Spark a jar is for. */
class SparkOfJarTest {
  private val jar = new SparkOfJar(java.util.Arrays.asList("4.1", "4.2"), "2.13")

  @Test
  def theJarIsForTheSparkThatItIsBuiltWith(): Unit =
    assertThat(SparkOfJar.read.problem(SPARK_VERSION, Properties.versionNumberString)).isEmpty()

  @Test
  def theLastNumberAndWhatAVendorAddsDoNotCount(): Unit =
    Seq("4.1.0", "4.1.3", "4.2.0-SNAPSHOT", "4.1.1.7.3.1.0-197", "4.2").foreach { spark =>
      assertThat(jar.problem(spark, "2.13.16")).as(spark).isEmpty()
    }

  @Test
  def theMessageNamesTheRightJar(): Unit = {
    assertThat(new SparkOfJar(java.util.Arrays.asList("3.5"), "2.12").problem("4.1.3", "2.13.17")).contains(
      "MPSR does nothing in this session: its jar is for Spark 3.5 with Scala 2.12, and this is Spark 4.1.3 with Scala 2.13.17. " +
        "Use the jar mpsr-spark-connector instead")
    assertThat(jar.problem("3.2.1", "2.12.15")).contains(
      "MPSR does nothing in this session: its jar is for Spark 4.1 and 4.2 with Scala 2.13, and this is Spark 3.2.1 with Scala " +
        "2.12.15. There is no jar of MPSR for this Spark")
    assertThat(jar.problem("4.10.0", "2.13.17")).as("4.10 is not 4.1").isPresent()
    assertThat(jar.problem("4.1.3", "3.3.1")).as("another Scala").isPresent()
  }
}
