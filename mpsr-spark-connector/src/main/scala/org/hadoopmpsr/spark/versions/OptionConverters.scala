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

import java.util.Optional

/** What `scala.jdk.OptionConverters` has, which Scala 2.12 lacks. */
private[spark] object OptionConverters {
  implicit final class OfJava[A](private val value: Optional[A]) extends AnyVal {
    def toScala: Option[A] = if (value.isPresent) Some(value.get) else None
  }

  implicit final class OfScala[A](private val value: Option[A]) extends AnyVal {
    def toJava: Optional[A] = value.fold(Optional.empty[A])(Optional.of(_))
  }
}
