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
package org.hadoopmpsr.core.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.core.schema.ShownColumns;

/**
 * The columns that readers saw in earlier states of a dataset.
 *
 * @param until the last change after which they saw these
 */
public record EarlierColumns(long until, ShownColumns shown) {

    /**
     * What readers saw after a change.
     *
     * @param earlier by ascending changes
     * @return empty if they saw what they see now
     */
    public static Optional<ShownColumns> at(List<EarlierColumns> earlier, long sequence) {
        return earlier.stream()
                .filter(columns -> sequence <= columns.until)
                .map(EarlierColumns::shown)
                .findFirst();
    }

    /**
     * What is to be remembered when columns are altered.
     *
     * @param earlier what was remembered before
     * @param now the columns that readers see until now
     * @param history tells which states can be read
     */
    public static List<EarlierColumns> with(List<EarlierColumns> earlier, ShownColumns now, DatasetHistory history) {
        List<EarlierColumns> all = new ArrayList<>();
        long before = -1; // there is a state before the first counted change
        for (EarlierColumns columns : earlier) {
            if (history.kept().horizon() <= columns.until || history.kept().needs(before + 1, columns.until + 1)) {
                all.add(columns);
            }
            before = columns.until;
        }
        if (history.last() > before) {
            all.add(new EarlierColumns(history.last(), now));
        }
        return all;
    }
}
