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
package org.hadoopmpsr.columnar.buffer;

import org.hadoopmpsr.core.hash.RecordHasher;

/**
 * The vector of a column of arrays, structs or maps. The dictionary has the forms of the values, as
 * {@link org.hadoopmpsr.core.nested.NestedWriter} writes them.
 */
public final class NestedVector extends StringVector {

    /** A vector with a dictionary of its own. */
    public NestedVector() {}

    private NestedVector(ByteDictionary dictionary) {
        super(dictionary);
    }

    @Override
    public NestedVector like() {
        return new NestedVector(dictionary());
    }

    @Override
    public void hash(RecordHasher hasher, int position, int row) {
        int id = ids()[row];
        hasher.putNested(
                position,
                dictionary().bytes(),
                dictionary().start(id),
                dictionary().length(id));
    }
}
