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

/**
 * What can be read of a column, and how far from the values that is at most.
 *
 * @param columns the places of the physical columns that are needed
 * @param kind how the error is counted
 * @param error the greatest error of a value that is neither infinite nor NaN; 0 if values are exact
 */
public record ReadLevel(List<Integer> columns, Kind kind, double error) {
    /** How an error is counted. */
    public enum Kind {
        /** There is none. */
        EXACT,
        /** The difference from the value. */
        ABSOLUTE,
        /** The difference as a part of the value. For numbers nearer to zero than the least normal one, it is a part of that. */
        RELATIVE
    }

    public ReadLevel {
        columns = List.copyOf(columns);
    }

    /** Gives the values themselves. */
    public static ReadLevel exact(List<Integer> columns) {
        return new ReadLevel(columns, Kind.EXACT, 0);
    }
}
