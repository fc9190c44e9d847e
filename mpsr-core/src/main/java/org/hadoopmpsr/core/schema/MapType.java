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
 * Keys with their values, in the order in which they came. A key may come twice: it is kept, and readers decide.
 *
 * @param key a type without values within
 */
public record MapType(ColumnType key, ColumnType value) implements NestedType {

    /** @throws IllegalArgumentException if the keys would have values within */
    public MapType {
        if (key instanceof NestedType) {
            throw new IllegalArgumentException("a map cannot have keys of type " + key.ddl()
                    + "; use keys without values within, such as map<string," + value.ddl() + ">");
        }
    }

    @Override
    public Kind kind() {
        return Kind.MAP;
    }

    @Override
    public String ddl() {
        return "map<" + key.ddl() + "," + value.ddl() + ">";
    }

    @Override
    public String toString() {
        return ddl();
    }
}
