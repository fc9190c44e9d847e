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
package org.hadoopmpsr.catalog.table;

import java.time.LocalDate;
import org.hadoopmpsr.core.group.PartitionTransform.Time.Unit;

/** Years, months, days and hours as Iceberg has them: numbers of them since the beginning of 1970. */
final class TimeSteps {
    private static final int FIRST_YEAR = 1970;
    private static final int MONTHS = 12;
    private static final long HOURS = 24;

    private TimeSteps() {}

    /**
     * The number for a result of our transform.
     *
     * @param result a year or the days since 1970, or a text such as {@code 2026-11} or {@code 2026-11-28-05}
     */
    static int number(Unit unit, Object result) {
        return switch (unit) {
            case YEAR -> Math.toIntExact((Long) result - FIRST_YEAR);
            case DAY -> Math.toIntExact((Long) result);
            case MONTH -> {
                Split split = Split.of((String) result);
                yield (Integer.parseInt(split.before) - FIRST_YEAR) * MONTHS + split.last - 1;
            }
            case HOUR -> {
                Split split = Split.of((String) result);
                yield Math.toIntExact(LocalDate.parse(split.before).toEpochDay() * HOURS + split.last);
            }
        };
    }

    private record Split(String before, int last) {
        static Split of(String text) {
            int at = text.lastIndexOf('-');
            return new Split(text.substring(0, at), Integer.parseInt(text.substring(at + 1)));
        }
    }
}
