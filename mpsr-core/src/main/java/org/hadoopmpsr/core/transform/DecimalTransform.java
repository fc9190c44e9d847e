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

import org.hadoopmpsr.core.schema.ColumnType;

/**
 * {@code decimal:2}: numbers that were decimals with so many digits behind the point before they became {@code double}. Files hold whole numbers, and how far the value
 * is from the decimal: mostly nothing. All values come back bit for bit, also those that are no decimals.
 */
final class DecimalTransform implements ColumnTransform {
    @Override
    public String name() {
        return "decimal";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public TransformedColumn of(ColumnType type, String parameters) {
        if (type != ColumnType.DOUBLE) {
            throw new IllegalArgumentException(
                    "the transform 'decimal' is for columns of type double, not " + type.ddl() + "; leave it out");
        }
        if (!parameters.matches("[0-9]|1[0-5]")) {
            throw new IllegalArgumentException("'" + parameters
                    + "' is no number of digits behind the point: write one from 0 to 15," + " such as decimal:2");
        }
        return new ScaledNumbers(Integer.parseInt(parameters));
    }
}
