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

import java.util.List;

/** Learns a classification tree, as CART does it (Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees", 1984). */
@FunctionalInterface
public interface TreeLearner {
    /**
     * Learns.
     *
     * @param examples at least one
     * @param classes how many classes there are; labels are below it
     * @param depth the most questions from the root to a leaf, from 1
     * @param seed equal seeds give equal trees
     */
    TreeNode learn(List<Example> examples, int classes, int depth, long seed);
}
