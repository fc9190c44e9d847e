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

import scala.util.Properties

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.SparkSessionExtensions
import org.hadoopmpsr.spark.versions.SparkOfJar
import org.slf4j.LoggerFactory

/**
 * The entry point, named in `spark.sql.extensions`. Does nothing in a Spark of a version that this jar is not for, except that the
 * log names the jar that is. Until this is known, only classes are loaded that link with each Spark and each Scala.
 */
final class MpsrSparkSessionExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit =
    if (SparkOfJar.read.fits(SPARK_VERSION, Properties.versionNumberString, LoggerFactory.getLogger(getClass)))
      SessionRules.inject(extensions)
}
