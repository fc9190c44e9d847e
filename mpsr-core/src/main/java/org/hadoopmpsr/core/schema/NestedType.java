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
package org.hadoopmpsr.core.schema;

/**
 * A type whose values have other values within: any of these may be null, except for the keys of maps. Statistics have no
 * bounds of such a column, and files are neither partitioned nor sorted by one; they may be by a scalar value within structs, see
 * {@link ColumnPath}.
 *
 * @see org.hadoopmpsr.core.nested.NestedWriter
 */
public sealed interface NestedType extends ColumnType permits ListType, StructType, MapType {

    /** In memory a nested value is the bytes of its form. */
    @Override
    default Class<?> valueClass() {
        return byte[].class;
    }

    @Override
    default boolean holds(Object value) {
        return false;
    }

    @Override
    default boolean isTime() {
        return false;
    }

    @Override
    default boolean hasUnit() {
        return false;
    }

    @Override
    default boolean isFloating() {
        return false;
    }

    @Override
    default boolean isInt32() {
        return false;
    }

    @Override
    default boolean isWideDecimal() {
        return false;
    }
}
