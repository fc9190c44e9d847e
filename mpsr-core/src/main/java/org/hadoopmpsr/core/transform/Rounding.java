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

/**
 * Rounds numbers within a greatest error. What a number becomes depends on it alone, and a rounded number becomes itself, so that rounding again
 * changes nothing. Null is not passed. NaN with all of its bits, infinite numbers and both zeros stay themselves.
 */
sealed interface Rounding permits GridRounding, MantissaRounding {

    /**
     * The bits of the number that takes the place of one.
     *
     * @param bits as {@link TransformedColumn} has them
     */
    long round(long bits);

    /** How the error is counted. */
    ReadLevel.Kind kind();

    /** No number is farther from the one whose place it takes. */
    double error();
}
