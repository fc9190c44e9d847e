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

import java.util.List;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/** {@code identity}: files hold the column as they do without a transform. */
final class IdentityTransform implements ColumnTransform {
    static final String NAME = "identity";

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
        if (!parameters.isEmpty()) {
            throw new IllegalArgumentException(
                    "the transform 'identity' has no parameters; leave out '" + parameters + "'");
        }
        return new Same(type);
    }

    private record Same(ColumnType type) implements TransformedColumn {
        @Override
        public List<PhysicalColumn> columns() {
            return List.of(new PhysicalColumn("", type));
        }

        @Override
        public void split(int column, long[] values, int count, long[] into) {
            System.arraycopy(values, 0, into, 0, count);
        }

        @Override
        public List<ReadLevel> levels() {
            return List.of(ReadLevel.exact(List.of(0)));
        }

        @Override
        public void join(ReadLevel level, long[] @Nullable [] parts, int count, long[] into) {
            long[] values = parts[0];
            if (values != null) {
                System.arraycopy(values, 0, into, 0, count);
            }
        }

        @Override
        public List<PhysicalRange> ranges(@Nullable Object least, @Nullable Object greatest) {
            return List.of();
        }
    }
}
