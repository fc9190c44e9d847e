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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A value for each {@link Feature}. Immutable. */
public final class Features {
    private final List<Double> values;

    private Features(List<Double> values) {
        this.values = List.copyOf(values);
    }

    /**
     * Takes values by the names of features.
     *
     * @throws IllegalArgumentException if one is missing, unknown, negative or no number, or a share is above 1, with a message for the
     *     user
     */
    public static Features of(Map<String, Double> byKey) {
        Map<Feature, Double> found = new EnumMap<>(Feature.class);
        byKey.forEach((key, value) -> found.put(Feature.of(key), value));
        List<Double> values = new ArrayList<>();
        for (Feature feature : Feature.values()) {
            Double value = found.get(feature);
            if (value == null) {
                throw new IllegalArgumentException("the feature '" + feature.key() + "' is missing: " + feature.text());
            }
            boolean share = feature == Feature.SELECTIVITY || feature == Feature.NUMERIC;
            if (!(value >= 0) || value.isInfinite() || share && value > 1) {
                throw new IllegalArgumentException("the feature '" + feature.key() + "' is " + value + "; give "
                        + (share ? "a share from 0 to 1" : "a number from 0"));
            }
            values.add(value);
        }
        return new Features(values);
    }

    /** The value of a feature. */
    public double get(Feature feature) {
        return values.get(feature.ordinal());
    }

    /** The values in the order of {@link Feature}; a copy. */
    public double[] vector() {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Features && ((Features) other).values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
