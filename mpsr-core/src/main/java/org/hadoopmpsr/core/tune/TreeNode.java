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
package org.hadoopmpsr.core.tune;

import org.jspecify.annotations.Nullable;

/**
 * A node of a tree: a leaf with a label, or a question. Immutable.
 *
 * @param feature what is asked about; null for a leaf
 * @param threshold values up to this one, inclusive, go to {@code low}
 * @param low null for a leaf, as {@code high}
 * @param label of a leaf: what it is for; else unused
 */
public record TreeNode(
        @Nullable Feature feature,
        double threshold,
        @Nullable TreeNode low,
        @Nullable TreeNode high,
        int label) {

    /** A leaf. */
    public static TreeNode leaf(int label) {
        return new TreeNode(null, 0, null, null, label);
    }

    /** A question. */
    public static TreeNode question(Feature feature, double threshold, TreeNode low, TreeNode high) {
        return new TreeNode(feature, threshold, low, high, -1);
    }

    /** The label of the leaf for these features. */
    public int label(Features features) {
        TreeNode node = this;
        while (node.feature != null && node.low != null && node.high != null) {
            node = features.get(node.feature) <= node.threshold ? node.low : node.high;
        }
        return node.label;
    }

    /** The most questions from here to a leaf. */
    public int depth() {
        return low == null || high == null ? 0 : 1 + Math.max(low.depth(), high.depth());
    }
}
