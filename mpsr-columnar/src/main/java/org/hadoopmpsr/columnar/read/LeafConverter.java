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
package org.hadoopmpsr.columnar.read;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.hadoopmpsr.core.nested.NestedWriter;

/** The values of one type within a nested column, as Parquet's reader tells them. */
final class LeafConverter extends PrimitiveConverter {
    private final NestedWriter form;
    private final Runnable begin;
    private final boolean isMillis;
    private final boolean isDecimal;
    private final boolean isUnsigned;

    /** @param begin called before each value */
    LeafConverter(NestedWriter form, PrimitiveType type, Runnable begin) {
        this.form = form;
        this.begin = begin;
        isMillis = type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation time
                && time.getUnit() == TimeUnit.MILLIS;
        isDecimal = type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation;
        isUnsigned = type.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation whole && !whole.isSigned();
    }

    @Override
    public void addBoolean(boolean value) {
        begin.run();
        form.putBoolean(value);
    }

    @Override
    public void addInt(int value) {
        begin.run();
        form.putLong(isUnsigned ? Integer.toUnsignedLong(value) : value);
    }

    @Override
    public void addLong(long value) {
        begin.run();
        form.putLong(isMillis ? Math.multiplyExact(value, 1000L) : value); // fails where Spark does
    }

    @Override
    public void addFloat(float value) {
        begin.run();
        form.putDouble(value);
    }

    @Override
    public void addDouble(double value) {
        begin.run();
        form.putDouble(value);
    }

    @Override
    public void addBinary(Binary value) {
        begin.run();
        ByteBuffer bytes = value.toByteBuffer();
        if (isDecimal) {
            form.putDecimal(new BigInteger(value.getBytesUnsafe()));
        } else if (bytes.hasArray()) {
            form.putBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        } else {
            form.putBytes(value.getBytesUnsafe(), 0, bytes.remaining());
        }
    }
}
