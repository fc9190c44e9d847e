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
 * A way to hold the values of a column. Files of a replica group that has it for a column hold other columns in its place, from which
 * readers get the same values; {@code lossy} of MPSR alone gives others. Others add transforms of their own: {@link TransformRegistry} finds them with {@link
 * java.util.ServiceLoader}. A class of this type has a public constructor without parameters, and is safe for use by several threads.
 */
public interface ColumnTransform {
    /** The name in settings and files: small letters, digits and hyphens, the first one a letter. No other transform has it. */
    String name();

    /**
     * The version of what is written, from 1 on. A transform reads what all versions up to this one have written. It gets another one when an older
     * one could not read what it writes, or would read it as other values.
     */
    int version();

    /** Whether files hold the column itself besides, whatever the parameters are: then readers who do not know the transform read it. */
    default boolean keepsColumn() {
        return false;
    }

    /**
     * The transform for the columns of a type. What files hold depends on nothing else: all files of a group hold the same columns.
     *
     * @param type of the column, one without values within
     * @param parameters what stands in the setting after the name and the colon; empty if nothing does
     * @throws IllegalArgumentException if the parameters make no sense, or columns of the type cannot be held so. The message says
     *     what to write
     */
    TransformedColumn of(ColumnType type, String parameters);
}
