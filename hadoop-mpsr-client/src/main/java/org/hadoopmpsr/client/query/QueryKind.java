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
package org.hadoopmpsr.client.query;

import java.util.Locale;

/** What a query asks for. */
public enum QueryKind {
    /** Number, least, greatest, mean, deviation and quantiles of values. */
    STATISTICS,
    /** The points that a line chart shows. */
    CHART,
    /** Statistics for each value of a column and each column of pixels. */
    HEATMAP,
    /** Records in a range of values, or windows of records that are similar to a pattern. */
    SIMILAR;

    /** The name of the command, in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
