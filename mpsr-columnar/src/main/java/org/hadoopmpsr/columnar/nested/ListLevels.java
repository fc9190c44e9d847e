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
package org.hadoopmpsr.columnar.nested;

import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/** The levels of lists in files: three, or two as old writers made them. The rules are those of Parquet's specification. */
public final class ListLevels {
    private ListLevels() {}

    /**
     * Whether what repeats in a list is the element, and not a group around the element.
     *
     * @param repeated the only field of the list's group
     * @param list the name of the list
     */
    public static boolean isElement(Type repeated, String list) {
        return repeated.isPrimitive()
                || repeated.asGroupType().getFieldCount() > 1
                || repeated.asGroupType().getType(0).isRepetition(Repetition.REPEATED)
                || repeated.getName().equals("array")
                || repeated.getName().equals(list + "_tuple");
    }
}
