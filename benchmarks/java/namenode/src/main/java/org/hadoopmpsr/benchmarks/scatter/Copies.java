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
package org.hadoopmpsr.benchmarks.scatter;

import java.util.Random;

/**
 * Three copies of each record on nodes that are numbered from 0, and how fast lost ones are written anew: first of all those of
 * records that have one copy left.
 */
interface Copies {
    /** The nodes of the cluster. */
    int nodes();

    /** The number of a node's rack, from 0. */
    int rack(int node);

    /** The racks of the cluster. */
    int racks();

    /** The seconds from a node's death to the first read. */
    double delay();

    /** The seconds from the first read for a lost node until all it held is written anew, drawn anew at each call. */
    double whole(Random random);

    /** The same for the records that have copies on both of two lost nodes; 0 if there are none. */
    double shared(int a, int b);

    /**
     * The chance that a record has all copies on three nodes.
     *
     * @param share which share of what the first two have in common is looked at, 0 to 1
     */
    double chance(int a, int b, int c, double share);
}
