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

import org.apache.spark.sql.SparkSessionExtensions
import org.hadoopmpsr.spark.source.PlanSource

/** The rules that run before Spark resolves relations and reads footers. */
private[spark] object FirstRules {
  def inject(extensions: SparkSessionExtensions, source: PlanSource): Unit = {
    extensions.injectHintResolutionRule(_ => GroupHint.Resolution)
    extensions.injectHintResolutionRule(session => new PastTableRule(session))
    extensions.injectHintResolutionRule(session => new LostFooterRule(session, source))
  }
}
