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
package org.hadoopmpsr.core.sampling;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A simple random sample, without replacement, of things that come one after the other: each set of {@code size} of them is as likely as any
 * other. Holds no more than the sample. Algorithm R of Vitter, "Random sampling with a reservoir", ACM Transactions on Mathematical
 * Software 11 (1985). Not safe for use by several threads.
 *
 * @param <T> the things
 */
public final class UniformSample<T> {
    private final int size;
    private final SplittableRandom random;
    private final List<T> items = new ArrayList<>();
    private long seen;

    /**
     * An empty sample.
     *
     * @param size the most things in it, from 1 on
     * @param seed the same seed and things give the same sample
     */
    public UniformSample(int size, long seed) {
        if (size < 1) {
            throw new IllegalArgumentException("a sample of " + size + " things; 1 is the least");
        }
        this.size = size;
        this.random = new SplittableRandom(seed);
    }

    /** The next thing. */
    public void add(T item) {
        seen++;
        if (items.size() < size) {
            items.add(item);
            return;
        }
        long place = random.nextLong(seen);
        if (place < size) {
            items.set((int) place, item);
        }
    }

    /** How many things have come. */
    public long seen() {
        return seen;
    }

    /** The sample: all things where no more than its size have come. */
    public List<T> items() {
        return List.copyOf(items);
    }
}
