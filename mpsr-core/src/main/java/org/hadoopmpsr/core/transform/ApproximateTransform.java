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
package org.hadoopmpsr.core.transform;

import java.util.Locale;
import org.hadoopmpsr.core.schema.ColumnType;

/**
 * {@code approximate:abs=0.01}: the column as it is, and beside it whole numbers from which readers get its values with a greatest error. Who does
 * not know the transform reads the column.
 */
final class ApproximateTransform implements ColumnTransform {
    /** With a smaller step, numbers next to zero would need more digits than a {@code double} has. */
    private static final double LEAST = 1e-290;

    private static final double MOST = 1e290;

    @Override
    public String name() {
        return "approximate";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public boolean keepsColumn() {
        return true;
    }

    @Override
    public TransformedColumn of(ColumnType type, String parameters) {
        if (type != ColumnType.DOUBLE) {
            throw new IllegalArgumentException(
                    "the transform 'approximate' is for columns of type double, not " + type.ddl() + "; leave it out");
        }
        String text = parameters.strip().toLowerCase(Locale.ROOT);
        if (!text.startsWith("abs=")) {
            throw wrong(parameters);
        }
        double error;
        try {
            error = Double.parseDouble(text.substring("abs=".length()));
        } catch (NumberFormatException e) {
            throw wrong(parameters);
        }
        if (!(error >= LEAST && error <= MOST)) {
            throw wrong(parameters);
        }
        return new CompanionNumbers(new QuantisedNumbers(error));
    }

    private static IllegalArgumentException wrong(String parameters) {
        return new IllegalArgumentException("'" + parameters + "' is no greatest error: write abs= and a number from "
                + LEAST + " to " + MOST + ", such as approximate:abs=0.01");
    }
}
