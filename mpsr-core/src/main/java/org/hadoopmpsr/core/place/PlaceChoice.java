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

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a reduction is to be made.
 *
 * @param place where
 * @param costs of all places that were compared
 * @param reason why, for people
 */
public record PlaceChoice(Place place, List<PlaceCost> costs, String reason) {

    public PlaceChoice {
        costs = List.copyOf(costs);
    }

    /** One line: the place, what each costs, the chosen one first, and why. */
    public String text() {
        String all = Stream.concat(
                        costs.stream().filter(cost -> cost.place() == place),
                        costs.stream().filter(cost -> cost.place() != place))
                .map(PlaceCost::text)
                .collect(Collectors.joining("; "));
        return "made at the " + place.text() + ": " + (all.isEmpty() ? "" : all + "; ") + reason;
    }
}
