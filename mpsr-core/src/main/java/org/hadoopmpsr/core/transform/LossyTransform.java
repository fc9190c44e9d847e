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
 * {@code lossy:abs=0.001}: the column under its own name with rounded values, and nothing that gives the exact ones. {@code rel=} and {@code
 * bits=} keep a part of the value instead; {@code ,packed} after {@code abs=} has whole numbers in place of the column. The only transform
 * that loses values: a group with it is no copy of the records.
 */
final class LossyTransform implements ColumnTransform {
    static final String NAME = "lossy";

    private static final String PACKED = ",packed";

    /** With a smaller or larger step, multiples would not be normal numbers. */
    private static final double LEAST = 1e-290;

    private static final double MOST = 1e290;

    private static final double LEAST_PART = 0x1p-52;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public TransformedColumn of(ColumnType type, String parameters) {
        boolean wide = type == ColumnType.DOUBLE;
        if (!wide && type != ColumnType.FLOAT) {
            throw new IllegalArgumentException("the transform 'lossy' is for columns of type double or float, not "
                    + type.ddl() + "; leave it out");
        }
        String text = parameters.strip().toLowerCase(Locale.ROOT);
        boolean packed = text.endsWith(PACKED);
        String limit =
                packed ? text.substring(0, text.length() - PACKED.length()).strip() : text;
        Accuracy accuracy;
        try {
            accuracy = Accuracy.parse(limit);
        } catch (IllegalArgumentException e) {
            throw wrong(parameters);
        }
        if (limit.contains(",") || accuracy.isExact()) {
            throw wrong(parameters);
        }
        double error = accuracy.absolute();
        if (error < Double.POSITIVE_INFINITY) {
            if (!(error >= LEAST && error <= MOST)) {
                throw wrong(parameters);
            }
            if (packed && wide) {
                return new PackedColumn(new QuantisedNumbers(error));
            }
        } else if (accuracy.relative() < LEAST_PART) {
            throw wrong(parameters);
        }
        if (packed) {
            throw new IllegalArgumentException("'" + parameters
                    + "' cannot be packed: only columns of type double with abs= can; leave ',packed' out");
        }
        return new RoundedColumn(
                error < Double.POSITIVE_INFINITY
                        ? new Rounding.Grid(error, wide)
                        : new Rounding.Mantissa(accuracy.relative(), wide),
                type);
    }

    private static IllegalArgumentException wrong(String parameters) {
        return new IllegalArgumentException("'" + parameters + "' is no greatest error: write abs= and a number from "
                + LEAST + " to " + MOST + ", such as lossy:abs=0.001; or rel= and a part of the value from "
                + LEAST_PART
                + ", or bits= and a number of significant bits from 1 to 52");
    }
}
