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
package org.hadoopmpsr.core.place;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a reduction costs in a place.
 *
 * @param moveSeconds t_m: until data and results are where they are needed, and the place has started
 * @param computeSeconds t_c: until all records are reduced
 * @param excluded why the reduction cannot be made there; null if it can
 */
public record PlaceCost(
        Place place,
        double moveSeconds,
        double computeSeconds,
        @Nullable String excluded) {

    /** t_m + t_c. */
    public double seconds() {
        return moveSeconds + computeSeconds;
    }

    /** For people. */
    public String text() {
        return excluded == null
                ? String.format(
                        Locale.ROOT,
                        "%s %.3f s (moves %.3f, computes %.3f)",
                        place.text(),
                        seconds(),
                        moveSeconds,
                        computeSeconds)
                : place.text() + " not: " + excluded;
    }
}
