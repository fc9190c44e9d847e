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
package org.hadoopmpsr.core;

import java.util.Random;
import java.util.function.Consumer;

/** Runs a property with many seeds; a failure names the seed, and {@code -Dmpsr.seed=N} replays it alone. */
public final class Seeds {

    private Seeds() {}

    /** Runs the property with {@code runs} seeds, or with the one given by the system property. */
    public static void forAll(int runs, Consumer<Random> property) {
        Long only = Long.getLong("mpsr.seed");
        long from = only == null ? 0 : only;
        long to = only == null ? runs : only + 1;
        for (long seed = from; seed < to; seed++) {
            try {
                property.accept(new Random(seed * 0x9E3779B97F4A7C15L));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + " (replay with -Dmpsr.seed=" + seed + "): " + e.getMessage(), e);
            }
        }
    }
}
