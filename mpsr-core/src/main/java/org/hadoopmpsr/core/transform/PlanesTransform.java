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

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.text.CommaList;

/**
 * {@code planes:16,16,32}: floating point numbers in planes of their bits, the leading ones first, after ISOBAR (Schendel et al., ICDE 2012) and
 * APLOD (Jenkins et al., TLDKS 2013). Leading bits repeat and compress, and trailing ones of measured or simulated numbers seldom do. All
 * planes give the number bit for bit. The first ones alone give it with fewer bits.
 */
final class PlanesTransform implements ColumnTransform {
    @Override
    public String name() {
        return "planes";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public TransformedColumn of(ColumnType type, String parameters) {
        if (!type.isFloating()) {
            throw new IllegalArgumentException("the transform 'planes' is for columns of type float and double, not "
                    + type.ddl() + "; leave it out");
        }
        int bits = type == ColumnType.DOUBLE ? Long.SIZE : Integer.SIZE;
        List<Integer> widths = new ArrayList<>();
        for (String part : CommaList.of(parameters)) {
            widths.add(width(part, parameters, bits));
        }
        if (widths.stream().mapToInt(Integer::intValue).sum() != bits) {
            throw wrong(parameters, bits);
        }
        return new BitPlanes(type == ColumnType.DOUBLE, widths);
    }

    private static int width(String text, String parameters, int bits) {
        if (!text.matches("[0-9]{1,2}")) {
            throw wrong(parameters, bits);
        }
        int width = Integer.parseInt(text);
        if (width < 1 || width > Integer.SIZE) {
            throw wrong(parameters, bits);
        }
        return width;
    }

    private static IllegalArgumentException wrong(String parameters, int bits) {
        return new IllegalArgumentException("'" + parameters + "' are no planes of numbers of " + bits
                + " bits: write the bits of each plane, from 1 to 32, which are " + bits + " together, such as planes:"
                + (bits == Long.SIZE ? "16,16,32" : "16,16"));
    }
}
