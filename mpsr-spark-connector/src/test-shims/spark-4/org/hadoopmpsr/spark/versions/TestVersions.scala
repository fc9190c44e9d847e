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

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.{functions, Column}
import org.apache.spark.sql.types.{DataType, StringType}

/** What tests need of a version of Spark. */
object TestVersions {

  /** The name of the error, where it has one. */
  def condition(error: Throwable): Option[String] = error match {
    case e: SparkThrowable => Option(e.getCondition)
    case _ => None
  }

  /** A type of texts whose order is not that of their bytes, where this Spark has one. */
  val caseless: Option[DataType] = Some(StringType("UTF8_LCASE"))

  /** The elements in the order of a seed, where this Spark has such a function. */
  def shuffled(array: Column, seed: Int): Option[Column] = Some(functions.shuffle(array, functions.lit(seed)))
}
