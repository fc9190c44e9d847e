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
package org.hadoopmpsr.spark.jobs.tune

import java.util.{List => JavaList}

import scala.jdk.CollectionConverters._

import org.apache.spark.ml.classification.DecisionTreeClassifier
import org.apache.spark.ml.linalg.Vectors
import org.apache.spark.ml.tree.{ContinuousSplit, InternalNode, LeafNode, Node}
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.core.tune.{Example, Feature, TreeLearner, TreeNode}

/**
 * Trees of MLlib's `DecisionTreeClassifier`: CART with Gini's impurity. Each difference between two measured workloads is tried as a
 * question. What is learnt from does not leave the driver's memory by more than one task.
 */
private[jobs] final class MllibTrees(session: SparkSession) extends TreeLearner {
  override def learn(examples: JavaList[Example], classes: Int, depth: Int, seed: Long): TreeNode = {
    import session.implicits._
    val rows = examples.asScala.toSeq.map(example => (example.label.toDouble, Vectors.dense(example.features.vector), example.weight))
    val frame = session.createDataset(rows).toDF("label", "features", "weight").coalesce(1).cache()
    try {
      val classifier = new DecisionTreeClassifier()
        .setMaxDepth(depth)
        .setImpurity("gini")
        .setMaxBins(math.max(MllibTrees.LeastBins, rows.size))
        .setWeightCol("weight")
        .setSeed(seed)
      MllibTrees.of(classifier.fit(frame).rootNode)
    } finally frame.unpersist()
  }
}

private[jobs] object MllibTrees {
  private val LeastBins = 32

  private def of(node: Node): TreeNode = node match {
    case leaf: LeafNode => TreeNode.leaf(leaf.prediction.toInt)
    case inner: InternalNode =>
      inner.split match {
        case split: ContinuousSplit =>
          TreeNode.question(Feature.values.apply(split.featureIndex), split.threshold, of(inner.leftChild), of(inner.rightChild))
        case other => throw new IllegalStateException(s"features are numbers, and a question is $other")
      }
  }
}
