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
import org.hadoopmpsr.spark.accuracy.{ApproximateValue, SessionAccuracy}
import org.hadoopmpsr.spark.columns.ShownColumnsRule
import org.hadoopmpsr.spark.locality.LocalityStrategy
import org.hadoopmpsr.spark.past.{PastListingRule, PastReadStrategy}
import org.hadoopmpsr.spark.reduction.ReductionFunctions
import org.hadoopmpsr.spark.source.NameNodePlanSource
import org.hadoopmpsr.spark.stream.StreamRule
import org.hadoopmpsr.spark.write.WriteStrategy

/**
 * The places of MPSR's rules among those of Spark.
 *
 * The rule that decides what is read runs before the cost-based rules: at that point Spark has pushed filters down and inferred
 * others, and has not pruned partitions. Hints stay with the relations until then. The rule for lost footers runs before
 * Spark reads footers.
 */
private[spark] object SessionRules {
  def inject(extensions: SparkSessionExtensions): Unit = {
    FirstRules.inject(extensions, NameNodePlanSource)
    ReductionFunctions.inject(extensions)
    ApproximateValue.inject(extensions)
    extensions.injectResolutionRule(session => new ShownColumnsRule(session, NameNodePlanSource))
    extensions.injectPostHocResolutionRule(session => new ShownColumnsRule(session, NameNodePlanSource)) // tables of Hive
    extensions.injectPostHocResolutionRule(_ => GroupHint.Removal)
    extensions.injectPostHocResolutionRule(_ => SessionAccuracy)
    extensions.injectPostHocResolutionRule(_ => StreamRule)
    extensions.injectOptimizerRule(_ => PastListingRule)
    extensions.injectPreCBORule(session => new ReadRule(session, NameNodePlanSource))
    extensions.injectPlannerStrategy(_ => PastReadStrategy)
    extensions.injectPlannerStrategy(session => new LocalityStrategy(session))
    extensions.injectPlannerStrategy(session => new WriteStrategy(session, NameNodePlanSource))
  }
}
