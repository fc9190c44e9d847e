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
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Draws with replacement from things that come one after the other: in each draw the chance of a thing is its share of the sum of all sizes,
 * whatever the other draws gave. A thing may be drawn several times. Holds no more than what is drawn: each draw keeps its thing until
 * another one, of size {@code w} of {@code W} so far, takes the place with the chance {@code w / W} (the rule of Chao, "A general purpose unequal
 * probability sampling plan", Biometrika 69 (1982), for samples of one). Not safe for use by several threads.
 *
 * @param <T> the things
 */
public final class SizeSample<T> {
    private final List<@Nullable T> drawn;
    private final SplittableRandom random;
    private double sum;

    /**
     * No draws yet.
     *
     * @param draws how many there are, from 1 on
     * @param seed the same seed and things give the same draws
     */
    public SizeSample(int draws, long seed) {
        if (draws < 1) {
            throw new IllegalArgumentException(draws + " draws; 1 is the least");
        }
        this.drawn = new ArrayList<>(Collections.nCopies(draws, null));
        this.random = new SplittableRandom(seed);
    }

    /**
     * The next thing.
     *
     * @param size 0 or more; a thing without size is never drawn
     */
    public void add(T item, long size) {
        if (size < 0) {
            throw new IllegalArgumentException("a size of " + size);
        }
        if (size == 0) {
            return;
        }
        sum += size;
        double chance = size / sum;
        // the distances between the draws that change are geometric: few numbers are drawn for many draws
        for (long next = skipped(chance); next < drawn.size(); next += 1 + skipped(chance)) {
            drawn.set((int) next, item);
        }
    }

    private long skipped(double chance) {
        return chance >= 1 ? 0 : (long) (Math.log1p(-random.nextDouble()) / Math.log1p(-chance));
    }

    /** The sum of the sizes that have come. */
    public double sum() {
        return sum;
    }

    /** What each draw gave; empty where nothing with a size has come. */
    public List<T> items() {
        List<T> items = new ArrayList<>();
        for (T item : drawn) {
            if (item != null) {
                items.add(item);
            }
        }
        return items;
    }
}
