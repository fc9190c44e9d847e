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
package org.hadoopmpsr.core.alloc;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.hash.Mix64;

/**
 * The order in which nodes take the files of a segment: weighted rendezvous hashing. A segment's files and a node give a
 * pseudo-random number u between 0 and 1; the nodes are ordered by -ln(u) / weight, the lowest first. Properties:
 *
 * <ul>
 *   <li>The order depends on nothing but the names and the weights: not on time, on the order of the list, or on other
 *       segments.
 *   <li>A node that comes or goes changes no other node's place relative to the others. With one home for each segment,
 *       only segments whose home is that node change their home.
 *   <li>Each node is first for a share of the segments that is its share of the weights, because -ln(u) / weight has an
 *       exponential distribution with the weight as its rate.
 * </ul>
 *
 * <p>Rendezvous hashing: Thaler and Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM Transactions
 * on Networking 6(1), 1998. The weights: the logarithmic method of Schindelhauer and Schomaker, "Weighted distributed hash
 * tables", SPAA 2005. Immutable and thread-safe.
 *
 * @param <N> a node
 */
public final class HomeOrder<N> {
    private static final double ULP = 0x1p-53;

    private final List<N> nodes;
    private final long[] hashes;
    private final long[] weights;

    /**
     * @param nodes nodes with different ids
     * @param id the name of a node that stays for ever, such as its uuid
     * @param weight the weight of a node, such as its capacity; less than 1 counts as 1
     */
    public HomeOrder(List<N> nodes, Function<N, String> id, ToLongFunction<N> weight) {
        this.nodes = nodes.stream().sorted(Comparator.comparing(id)).toList(); // decides between equal distances
        hashes = this.nodes.stream().mapToLong(node -> hash(0, id.apply(node))).toArray();
        weights = this.nodes.stream().mapToLong(weight).toArray();
    }

    /** All nodes in the order in which they take the files. Takes n log n steps for n nodes. */
    public List<N> of(SegmentFiles files) {
        long key = hash(hash(hash(0, files.dataset()), files.segment()), files.group());
        double[] distances = new double[hashes.length];
        for (int i = 0; i < distances.length; i++) {
            distances[i] = distance(key, hashes[i], weights[i]);
        }
        return IntStream.range(0, distances.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> distances[i]))
                .map(nodes::get)
                .toList();
    }

    /** StrictMath, because other implementations of the logarithm may differ in the last bit. */
    private static double distance(long key, long node, long weight) {
        double u = ((Mix64.of(key ^ node) >>> 11) + 0.5) * ULP;
        return -StrictMath.log(u) / Math.max(1, weight);
    }

    /** The length is a part of the hash, so that the parts of a key cannot run into one another. */
    private static long hash(long seed, String text) {
        long hash = Mix64.of(seed ^ text.length());
        for (int i = 0; i < text.length(); i++) {
            hash = Mix64.of(hash + text.charAt(i));
        }
        return hash;
    }
}
