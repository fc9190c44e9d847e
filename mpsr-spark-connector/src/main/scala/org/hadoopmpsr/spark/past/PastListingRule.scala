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
package org.hadoopmpsr.spark.past

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.hadoopmpsr.spark.relation.{ConfKeys, FileRelation, PastReadException}

/** Fails where Spark would answer from the partitions that it has listed, which are those of the present state, and read nothing. */
private[spark] object PastListingRule extends Rule[LogicalPlan] {
  override val ruleName: String = "org.hadoopmpsr.spark.PastListingRule"

  private val MetadataOnly = "spark.sql.optimizer.metadataOnly"

  override def apply(plan: LogicalPlan): LogicalPlan = {
    if ("true".equalsIgnoreCase(conf.getConfString(MetadataOnly, "false").trim)) {
      plan.foreach {
        case FileRelation(r) =>
          ConfKeys.asOfOption(r.options).foreach { state =>
            throw new PastReadException(s"cannot read ${r.location.rootPaths.mkString(", ")} as of $state: $MetadataOnly answers from " +
              s"the partitions that are there now; set $MetadataOnly=false")
          }
        case _ =>
      }
    }
    plan
  }
}
