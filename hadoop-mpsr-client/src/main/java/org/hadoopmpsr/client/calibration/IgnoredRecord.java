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
package org.hadoopmpsr.client.calibration;

import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;

/** Accepts the values of records of any schema, and keeps none. */
final class IgnoredRecord extends GroupConverter {
    private final GroupType type;

    IgnoredRecord(GroupType type) {
        this.type = type;
    }

    @Override
    public Converter getConverter(int fieldIndex) {
        Type field = type.getType(fieldIndex);
        return field.isPrimitive() ? new IgnoredValue() : new IgnoredRecord(field.asGroupType());
    }

    @Override
    public void start() {}

    @Override
    public void end() {}

    private static final class IgnoredValue extends PrimitiveConverter {
        @Override
        public void addBinary(Binary value) {}

        @Override
        public void addBoolean(boolean value) {}

        @Override
        public void addDouble(double value) {}

        @Override
        public void addFloat(float value) {}

        @Override
        public void addInt(int value) {}

        @Override
        public void addLong(long value) {}
    }
}
